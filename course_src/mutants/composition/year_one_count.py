"""The noise of one count.

points:
    year_planned: 0
"""

# %% noise_for_year
def noise_for_year():
    return {"mechanism": "Laplace", "scale": 1 / 0.8}
