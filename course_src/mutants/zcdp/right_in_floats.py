"""Right: plain floats, at the ends of what may be asked of a conversion; no room above the slope."""

# %% test_conversion
def test_conversion(conversion):
    from scipy.stats import norm

    for rho in (1e-6, 1e-3, 0.02, 0.1, 0.3, 0.6, 3.0, 100.0):
        for delta in (1e-200, 1e-100, 1e-20, 1e-9, 1e-5, 0.01, 0.3, 0.5):
            epsilon = conversion(rho, delta)
            assert 0 <= epsilon <= (rho + 2 * math.sqrt(rho * math.log(1 / delta))) * (1 + 1e-9)
            mu = math.sqrt(2 * rho)
            one, other = norm.cdf(mu / 2 - epsilon / mu), norm.cdf(-mu / 2 - epsilon / mu)
            assert one - math.exp(epsilon) * other <= delta
    p = 1 / (1 + math.exp(-2))
    assert conversion(2 * math.tanh(1), p - math.exp(1) * (1 - p)) >= 1 - 1e-6


# %% slope_above
def slope_above(p, q):
    from scipy.special import logsumexp

    x, y = np.log(p), np.log(q)
    best = 0.0
    for order in 1 + np.geomspace(1e-6, 1e8, 3000):
        for one, other in ((x, y), (y, x)):
            best = max(best, logsumexp(order * one + (1 - order) * other) / (order - 1) / order)
    return best
