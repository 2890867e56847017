"""The textbook's formula.

points:
    year_planned: 2
"""

# %% noise_for_year
def noise_for_year():
    return {"mechanism": "Gaussian", "sigma": math.sqrt(2 * 36 * math.log(1.25e6)) / 0.8}
