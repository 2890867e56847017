"""Laplace noise, a share of the budget for each of 365 counts.

points:
    year_planned: 0
"""

# %% noise_for_year
def noise_for_year():
    return {"mechanism": "Laplace", "scale": 365 / 0.8}
