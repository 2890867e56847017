"""Half of epsilon and half of delta for each list.

points:
    noise_planned: 2
"""

# %% noise_for_lists
def noise_for_lists():
    unit = 16.009876  # the least deviation for sensitivity 1 at (0.25, 5e-7)
    return {"mechanism": "Gaussian", "sigma_days": unit, "sigma_questions": math.sqrt(40) * unit}
