"""Right: the given helpers, and grids where others search."""

# %% noise_of_plan
def noise_of_plan():
    grid = [mu for mu in np.arange(0.01, 2, 0.0002) if delta_of_normal(mu, 0.8) <= 1e-6]
    rho = max(grid) ** 2 / 2
    lengths, roots = [4.0, 1.0, 3.0], [5.0, 1.0, 1.0]
    whole = sum(d * r for d, r in zip(lengths, roots))
    sigmas = [d / math.sqrt(2 * rho * d * r / whole) for d, r in zip(lengths, roots)]
    return {"mechanism": "Gaussian", "wards": sigmas[0], "diagnoses": sigmas[1], "diseases": sigmas[2]}

# %% test_conversion
def test_conversion(conversion):
    for rho in np.geomspace(1e-6, 100, 9):
        for delta in [1e-200, 1e-100, 1e-50, 1e-20, 1e-9, 1e-5, 0.01, 0.1, 0.5]:
            epsilon = conversion(rho, delta)
            assert epsilon <= (rho + 2 * math.sqrt(rho * math.log(1 / delta))) * (1 + 1e-6)
            assert epsilon >= 0
            assert delta_of_normal(math.sqrt(2 * rho), epsilon) <= delta * (1 + 1e-6)
    for e in [0.1, 0.5, 1.0, 2.0, 3.0, 5.0]:
        p = 1 / (1 + math.exp(-e))
        for t in [0.2 * e, 0.5 * e, 0.8 * e]:
            delta = p - math.exp(t) * (1 - p)
            if delta <= 0.5:
                assert conversion(e * math.tanh(e / 2), delta) >= t - 1e-6

# %% slope_above
def slope_above(p, q):
    best = 0.0
    for b in 10 ** np.linspace(-5, 6, 2000):
        for x, y in ((np.log(p), np.log(q)), (np.log(q), np.log(p))):
            best = max(best, logsumexp((1 + b) * x - b * y) / b / (1 + b))
    return best * 1.0004

# %% rho_at_least
def rho_at_least(with_them, without, trials, steps):
    error = 0.05 / 4 / len(with_them)
    best = 0
    for k1, k2 in zip(with_them, without):
        l1, h1 = limits(k1, trials, error)
        l2, h2 = limits(k2, trials, error)
        for low, up in ((l1, h2), (l2, h1), (1 - h1, 1 - l2), (1 - h2, 1 - l1)):
            if low > up:
                best = max(best, math.sqrt(math.log(1 / up)) - math.sqrt(math.log(1 / low)))
    return (best / steps) ** 2
