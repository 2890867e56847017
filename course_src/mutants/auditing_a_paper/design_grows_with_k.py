"""The noise grows with k.

points:
    noise_design: 0.5
"""

# %% noise_of_counts
def noise_of_counts():
    cost = 15 * math.log(10)
    return {"mechanism": "Gaussian", "sigma": math.sqrt(60) * math.sqrt(60 / 2) / (math.sqrt(cost + 0.5) - math.sqrt(cost))}
