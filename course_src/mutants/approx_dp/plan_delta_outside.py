"""One deviation by the textbook, and delta outside of the logarithm.

points:
    noise_planned: 0
"""

# %% noise_for_lists
def noise_for_lists():
    sigma = math.sqrt(41) / 0.5 * math.sqrt(2 * math.log(1.25) / 1e-6)
    return {"mechanism": "Gaussian", "sigma_days": sigma, "sigma_questions": sigma}
