"""The logarithm has base 10.

points:
    noise_design: 0
"""

# %% noise_of_counts
def noise_of_counts():
    cost = 15 * math.log(10)
    return {"mechanism": "Gaussian", "sigma": math.sqrt(60 / 2) / (math.sqrt(15.5) - math.sqrt(15))}
