"""The L1 sensitivity.

points:
    noise_planned: 0
"""

# %% noise_for_lists
def noise_for_lists():
    unit = 8.0576185  # the least deviation for sensitivity 1
    textbook = math.sqrt(2 * math.log(1.25e6)) / 0.5
    return {"mechanism": "Gaussian", "sigma_days": 41 * unit, "sigma_questions": 41 * unit}
