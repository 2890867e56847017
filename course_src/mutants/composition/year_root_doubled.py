"""The L2 sensitivity of an added row, doubled.

points:
    year_planned: 1
"""

# %% noise_for_year
def noise_for_year():
    sigma = 2 * math.sqrt(18) * math.sqrt(2 * math.log(1.25e6)) / 0.8
    return {"mechanism": "Gaussian", "sigma": sigma}
