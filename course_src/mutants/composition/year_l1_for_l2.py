"""Normal noise by the L1 sensitivity.

points:
    year_planned: 0
"""

# %% noise_for_year
def noise_for_year():
    from scipy.optimize import brentq
    from scipy.stats import norm

    e, delta, sensitivity = 0.8, 1e-6, 36
    mu = brentq(lambda m: norm.cdf(m / 2 - e / m) - math.exp(e) * norm.cdf(-m / 2 - e / m) - delta * (1 - 1e-9), 1e-3, 10)
    sigma = sensitivity / mu
    return {"mechanism": "Gaussian", "sigma": sigma}
