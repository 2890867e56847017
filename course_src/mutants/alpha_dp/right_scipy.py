"""Right: scipy: roots, minima, integrals and laws."""

# %% least_noise
def least_noise(k, epsilon, delta, most):
    level = math.log(1 / delta)
    if most < math.inf:
        pairs = [
            (a / (epsilon - level / (a - 1)), a) for a in range(2, most + 1)
            if epsilon > level / (a - 1)
        ]
        if not pairs:
            return [math.inf, 0]
        value, order = min(pairs)
        return [math.sqrt(k * value / 2), order]
    from scipy.optimize import brentq

    # epsilon = rho + 2 sqrt(rho level), for the logarithm of rho
    low, high = math.log(epsilon**2 / (4 * (level + epsilon))) - 1, math.log(epsilon) + 1
    log_rho = brentq(
        lambda z: math.exp(z) + 2 * math.sqrt(math.exp(z) * level) - epsilon,
        low, high, xtol=1e-14, rtol=1e-14)
    rho = math.exp(log_rho)
    return [math.sqrt(k / 2 / rho), 1 + math.sqrt(level / rho)]

# %% noise_of_year
def noise_of_year():
    from scipy.optimize import brentq, minimize_scalar
    from scipy.stats import norm

    def excess(mu):
        first, second = norm.cdf(mu / 2 - 2 / mu), norm.cdf(-mu / 2 - 2 / mu)
        return first - math.exp(2) * second - 1e-6

    mu = brentq(excess, 0.05, 3) * 0.99999

    def sigmas(ratio):
        one = math.sqrt(120 + 768 / ratio**2) / mu
        return one, ratio * one

    found = minimize_scalar(lambda x: sum(sigmas(x)), bounds=(0.5, 10), method="bounded")
    counts, sums = sigmas(found.x)
    return {"mechanism": "Gaussian", "counts": counts, "sums": sums}

# %% bound_through
def bound_through(p, q, thirds, order):
    from scipy.special import logsumexp

    def moment(a, b, power):
        a, b = np.array(a), np.array(b)
        if np.any(b[a > 0] == 0):
            return np.inf
        keep = a > 0
        return logsumexp(np.log(a[keep]) * power + np.log(b[keep]) * (1 - power))

    both = [moment(p, r, 2 * order) + moment(r, q, 2 * order - 1) for r in thirds]
    return 0.5 * min(both) / (order - 1)

# %% repaired_counts
def repaired_counts(counts, epsilon, delta, rng):
    """Another docstring: what is compared is the noise."""
    level = math.log(1 / delta)
    most, sigma = 0.0, math.inf
    for order in range(2, 41):
        log_account = (order - 1) * epsilon - level
        if log_account > 0:
            factor = order * (order - 1)
            number = (math.exp(log_account / len(counts)) - 1) / factor
            square = factor / (2 * math.log(1 + factor * number))
            if math.sqrt(square) < sigma:
                most = number
                sigma = math.sqrt(square)
    return [count + rng.normal(0.0, sigma) for count in counts]
