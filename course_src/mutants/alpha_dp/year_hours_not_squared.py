"""The sensitivity of the sums is not squared.

points:
    year_designed: 0
"""

# %% noise_of_year
def noise_of_year():
    level = math.log(1e6)
    rho = (math.sqrt(level + 2) - math.sqrt(level)) ** 2
    roots = [120 ** (1 / 3), (12 * 8) ** (1 / 3)]
    unit = math.sqrt(sum(roots) / (2 * rho))
    return {"mechanism": "Gaussian", "counts": unit * roots[0], "sums": unit * roots[1]}
