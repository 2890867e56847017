"""The noise of one count.

points:
    noise_design: 0
"""

# %% noise_of_counts
def noise_of_counts():
    cost = 15 * math.log(10)
    return {"mechanism": "Gaussian", "sigma": 14.74}
