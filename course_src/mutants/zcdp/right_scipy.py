"""Right: scipy."""

# %% noise_of_plan
def noise_of_plan():
    from scipy.optimize import brentq
    from scipy.stats import norm

    def excess(mu):
        return norm.cdf(mu / 2 - 0.8 / mu) - math.exp(0.8) * norm.cdf(-mu / 2 - 0.8 / mu) - 1e-6

    mu = brentq(excess, 0.01, 2) * 0.9999
    lengths, roots = np.sqrt([16, 1, 9]), np.sqrt([25, 1, 1])
    sigmas = np.sqrt(lengths / roots * (lengths @ roots)) / mu
    return {"mechanism": "Gaussian", "wards": sigmas[0], "diagnoses": sigmas[1], "diseases": sigmas[2]}

# %% test_conversion
def test_conversion(conversion):
    from scipy.special import log_ndtr

    grid = [(10.0**i, 10.0**-j) for i in range(-6, 3) for j in (1, 2, 5, 9, 20, 60, 190)]
    for rho, delta in grid:
        epsilon, mu = conversion(rho, delta), math.sqrt(2 * rho)
        if epsilon < 0 or epsilon > 1.000001 * (rho + 2 * math.sqrt(rho * -math.log(delta))):
            return False
        first, second = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
        if second < first and first + math.log1p(-math.exp(second - first)) > math.log(delta) + 1e-4:
            return False
    # a coin with epsilon 1
    p = 1 / (1 + math.exp(-1))
    if conversion(math.tanh(0.5), p - math.exp(0.5) * (1 - p)) < 0.49:
        return False
    return True
