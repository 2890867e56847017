"""Nothing is wrong: scipy, logarithms.
"""

# %% delta_between
def delta_between(losses, masses, mesh, k, epsilon):
    from scipy.special import logsumexp

    def in_logs(whole):
        steps = {}
        lost = 0.0
        for loss, mass in zip(losses, masses):
            if loss == math.inf:
                lost += mass
            elif mass > 0:
                at = whole(loss / mesh)
                steps[at] = steps.get(at, 0.0) + mass
        law = np.array([0.0])
        for _ in range(k if steps else 0):
            rows = np.full((len(steps), len(law) + 40), -np.inf)
            for row, (at, mass) in zip(rows, steps.items()):
                row[at + 20 : at + 20 + len(law)] = law + math.log(mass)
            top = rows.max(axis=0)
            safe = np.where(np.isfinite(top), top, 0.0)
            with np.errstate(divide="ignore"):
                law = safe + np.log(np.exp(rows - safe).sum(axis=0))
        t = mesh * (np.arange(len(law)) - (len(law) - 1) // 2)
        far = (t > epsilon) & np.isfinite(law)
        part = 0.0
        if steps and far.any():
            part = math.exp(logsumexp(law[far] + np.log(-np.expm1(epsilon - t[far]))))
        return part + (1.0 if lost >= 1 else -math.expm1(k * math.log1p(-lost)))

    return (in_logs(math.floor), in_logs(math.ceil))

# %% enough_noise
def enough_noise(rate, steps, epsilon, delta):
    from scipy.optimize import brentq

    def gap(log_sigma):
        sigma = math.exp(log_sigma)
        return min(steps * sampled_divergence(rate, sigma, a)
                   + math.log(1 / delta) / (a - 1) for a in range(2, 65)) - epsilon

    return math.exp(brentq(gap, math.log(0.1), math.log(1000), xtol=1e-7)) * (1 + 2e-5)

# %% test_accountant
def test_accountant(epsilon_of):
    from scipy.stats import binom

    def delta_at(truth, k, epsilon):
        x = np.arange(k + 1)
        loss = (2 * x - k) * math.log(truth / (1 - truth))
        far = loss > epsilon
        return float(np.exp(binom.logpmf(x[far], k, truth)) @ -np.expm1(epsilon - loss[far]))

    for truth, k, delta in [(0.75, 100, 1e-6), (0.75, 2, 0.4), (0.6, 200, 1e-20), (0.55, 50, 1e-3),
                            (0.9, 7, 0.01), (0.75, 1000, 1e-12), (0.52, 30, 1e-9), (0.6, 400, 1e-25)]:
        found = epsilon_of(truth, k, delta)
        assert delta_at(truth, k, found * (1 + 3e-6) + 3e-6) <= delta * (1 + 1e-9)
        if found > 1e-5:
            assert delta_at(truth, k, found * (1 - 3e-6) - 3e-6) >= delta * (1 - 1e-9)
    for k in (1, 3, 40):
        assert math.isclose(epsilon_of(0.75, k, 0.0), k * math.log(3), rel_tol=1e-5)
    for delta in (0.9, 0.5, 1.0):
        assert 0 <= epsilon_of(0.6, 1, delta) <= 1e-5
    for truth in (0.6, 0.75, 0.9):  # where sums of masses exceed 1
        for k in (700, 1000, 2000):
            assert 0 <= epsilon_of(truth, k, 1) <= 1e-5
