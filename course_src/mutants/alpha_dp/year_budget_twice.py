"""Counts and sums get the whole budget each.

points:
    year_designed: 0
"""

# %% noise_of_year
def noise_of_year():
    level = math.log(1e6)
    mu = math.sqrt(2) * (math.sqrt(level + 2) - math.sqrt(level))
    return {"mechanism": "Gaussian", "counts": math.sqrt(120) / mu, "sums": math.sqrt(12 * 64) / mu}
