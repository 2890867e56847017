"""Laplace noise by the L1 sensitivity.

points:
    year_planned: 1
"""

# %% noise_for_year
def noise_for_year():
    return {"mechanism": "Laplace", "scale": 36 / 0.8}
