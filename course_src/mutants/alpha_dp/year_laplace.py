"""Laplace noise, by a pure epsilon.

points:
    year_designed: 0
"""

# %% noise_of_year
def noise_of_year():
    unit = (math.sqrt(120) + math.sqrt(96)) / 2 * 1.0000001
    return {"mechanism": "Laplace", "counts": unit * math.sqrt(120), "sums": unit * math.sqrt(96)}
