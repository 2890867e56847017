"""One deviation, and the day of a patient is counted twice.

points:
    noise_planned: 1
"""

# %% noise_for_lists
def noise_for_lists():
    sigma = math.sqrt(42) * 8.0576185  # the least deviation for sensitivity 1
    return {"mechanism": "Gaussian", "sigma_days": sigma, "sigma_questions": sigma}
