"""The same noise everywhere, at the best order.

points:
    year_designed: 1
"""

# %% noise_of_year
def noise_of_year():
    level = math.log(1e6)
    rho = (math.sqrt(level + 2) - math.sqrt(level)) ** 2
    sigma = math.sqrt((120 + 12 * 64) / (2 * rho))
    return {"mechanism": "Gaussian", "counts": sigma, "sums": sigma}
