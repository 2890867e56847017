"""Right: with scipy: linear programs, root finding and normal laws."""

# %% worst_tail
def worst_tail(p, q, epsilon):
    from scipy.optimize import linprog

    p, q = np.array(p), np.array(q)
    surplus = p - math.exp(epsilon) * q
    if surplus.max() <= 0:
        return 0.0
    found = linprog(-p, A_ub=[-surplus], b_ub=[0.0], bounds=(0, 1), method="highs-ds")
    return -found.fun


# %% enough_noise
def enough_noise(sensitivity, epsilon, delta):
    from scipy.optimize import brentq
    from scipy.stats import norm

    def log_delta(log_mu):
        mu = math.exp(log_mu)
        first = norm.logcdf(mu / 2 - epsilon / mu)
        second = epsilon + norm.logcdf(-mu / 2 - epsilon / mu)
        if second >= first:
            return -1e300
        return first + np.log1p(-np.exp(second - first))

    root = brentq(lambda x: max(log_delta(x), -1e6) - math.log(delta), math.log(1e-6), math.log(1e3), xtol=1e-10)
    return 1.0002 * sensitivity / math.exp(root)


# %% noise_for_lists
def noise_for_lists():
    from scipy.optimize import brentq, minimize_scalar
    from scipy.special import ndtr

    mu = brentq(lambda m: ndtr(m / 2 - 0.5 / m) - math.exp(0.5) * ndtr(-m / 2 - 0.5 / m) - 1e-6, 0.01, 5, xtol=1e-14)

    def error(ratio):
        days = math.sqrt(1 + 40 / ratio**2) / mu
        return 300 * days**2 + 60 * (ratio * days) ** 2

    ratio = minimize_scalar(error, bounds=(0.1, 50), method="bounded").x
    days = math.sqrt(1 + 40 / ratio**2) / mu * (1 + 1e-8)
    return {"mechanism": "Gaussian", "sigma_days": days, "sigma_questions": ratio * days}
