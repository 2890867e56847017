"""Laplace noise by the L2 sensitivity.

points:
    year_planned: 0
"""

# %% noise_for_year
def noise_for_year():
    return {"mechanism": "Laplace", "scale": 6 / 0.8}
