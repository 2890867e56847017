"""The sums are treated as if a patient moved them by 1.

points:
    year_designed: 0
"""

# %% noise_of_year
def noise_of_year():
    level = math.log(1e6)
    rho = (math.sqrt(level + 2) - math.sqrt(level)) ** 2
    sigma = math.sqrt((120 + 12) / (2 * rho))
    return {"mechanism": "Gaussian", "counts": sigma, "sums": sigma}
