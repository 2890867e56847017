"""Laplace noise, as if a row were added or removed.

points:
    year_planned: 0
"""

# %% noise_for_year
def noise_for_year():
    return {"mechanism": "Laplace", "scale": 18 / 0.8}
