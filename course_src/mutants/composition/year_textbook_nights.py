"""The textbook's formula with the number of nights.

points:
    year_planned: 0
"""

# %% noise_for_year
def noise_for_year():
    sigma = 18 * math.sqrt(2 * math.log(1.25e6)) / 0.8
    return {"mechanism": "Gaussian", "sigma": sigma}
