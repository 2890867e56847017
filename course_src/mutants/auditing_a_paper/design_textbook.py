"""Textbook steps that are added up.

points:
    noise_design: 0.5
"""

# %% noise_of_counts
def noise_of_counts():
    cost = 15 * math.log(10)
    return {"mechanism": "Gaussian", "sigma": 60 * math.sqrt(2 * math.log(1.25 * 60 / 1e-15)) / 0.5}
