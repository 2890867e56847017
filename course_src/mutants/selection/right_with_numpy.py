"""Right: arrays and grids."""

# %% test_named
def test_named(implementation):
    rng = np.random.default_rng(4)
    for _ in range(300):
        n = int(rng.integers(2, 6))
        scores = np.round(rng.normal(0, 3, n), 1) + rng.choice([0, 1e5, -1e5, -40])
        sensitivity, epsilon = float(rng.uniform(0.2, 5)), float(rng.uniform(0.05, 4))
        monotonic, u = bool(rng.integers(2)), float(rng.uniform(0.01, 0.99))
        x = scores * epsilon / sensitivity / (1 if monotonic else 2)
        sums = np.cumsum(np.exp(x - x.max()))
        sums /= sums[-1]
        if abs(sums - u).min() > 1e-6:
            found = implementation(scores.tolist(), sensitivity, epsilon, monotonic, u)
            assert found == int((sums <= u).sum())

# %% dearest_name
def dearest_name(epsilon, order):
    low, high = 0.0, 1.0
    for _ in range(9):
        p = np.linspace(low, high, 403)[1:-1]
        q = p / (p + (1 - p) * np.exp(epsilon))
        if order == 1:
            d = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
        else:
            a, b = np.log(p / q), np.log((1 - p) / (1 - q))
            d = np.logaddexp(np.log(p) + (order - 1) * a, np.log(1 - p) + (order - 1) * b) / (order - 1)
        i = int(np.argmax(d))
        low, high = p[max(i - 3, 0)], p[min(i + 3, len(p) - 1)]
        if high - low < 1e-7:
            break
    return np.array([p[i], d[i]])

# %% guess_ill
def guess_ill(answers, margins, hers):
    """The z that fits best, from all six counts."""
    z = np.arange(-12, 12, 0.1)[:, None]
    y, fits = np.array(answers), []
    for ill in (0, 1):
        t = (z - np.array(margins) - ill * np.array(hers)) / 2
        up = np.where(t > 0, np.exp(-abs(t)) / 2, 1 - np.exp(-abs(t)) / 2)
        fits.append((y * np.log(up) + (60 - y) * np.log(1 - up)).sum(axis=1) - abs(z[:, 0]) / 2)
    return int(fits[1].max() > fits[0].max())

# %% repaired_bell
def repaired_bell(counts, threshold, epsilon, rng):
    level = threshold + rng.laplace(0.0, 2 / epsilon)  # once
    for day, count in enumerate(counts):
        noise = rng.laplace(0.0, 4 / epsilon)  # fresh

        if count + noise >= level:
            return day
    return -1

# %% survey
def survey(answers, k, epsilon, meant):
    n = len(answers)
    law = np.full((k, k), 1.0) + np.eye(k) * np.expm1(epsilon)
    law /= law.sum(axis=1, keepdims=True)
    said = (np.array(answers)[:, None] == np.arange(k)).sum(axis=0)
    back = np.linalg.inv(law)
    var = np.zeros(k)
    for ward, many in enumerate(meant):
        row = law[ward]
        cov = np.diag(row) - np.outer(row, row)
        var += many * np.einsum("iv,ij,jv->v", back, cov, back)
    return [said @ back, np.sqrt(var)]
