"""Rounded down, and so not enough.

points:
    noise_design: 0
"""

# %% noise_of_counts
def noise_of_counts():
    cost = 15 * math.log(10)
    return {"mechanism": "Gaussian", "sigma": 114.0}
