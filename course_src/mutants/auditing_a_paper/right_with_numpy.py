"""Right: arrays of numpy."""

# %% stages_at_fault
def stages_at_fault(printed, order, sigma, k, delta):
    pairs = order * (order - 1)
    ranges = np.array([printed_range(text) for text in printed])
    one = np.full(2, np.expm1(pairs / (2 * sigma**2)) / pairs)
    many = ((1 + pairs * ranges[0]) ** float(k) - 1) / pairs
    cost = (np.log(1 + pairs * ranges[1]) + np.log(1 / delta)) / (order - 1)
    reached = np.array([one, many, cost])
    return (reached[:, 1] < ranges[:, 0]) | (ranges[:, 1] < reached[:, 0])


# %% suspects_weighed
def suspects_weighed(rows, misprint):
    sigma = np.array([row[0] for row in rows], float)
    order = np.array([row[1] for row in rows], float)
    text = [row[2] for row in rows]
    low, high = np.array([printed_range(t) for t in text]).T
    digits = np.array([sum(c.isdigit() for c in t.split("e")[0]) for t in text])
    pairs = order * (order - 1)
    x = pairs / (2 * sigma**2)
    numbers = np.array([np.exp(x) - 1, np.exp(x), np.exp(x - 1)]) / pairs
    hit = (low <= numbers) & (numbers <= high)
    luck = misprint / (9.0 * 10.0 ** (digits - 1))
    logs = np.log(luck + (1 - misprint) * hit).sum(axis=1)
    return np.exp(logs - np.logaddexp.reduce(logs))


# %% times_delta
def times_delta(k, sigma, delta, text):
    from scipy.stats import norm

    mu = np.sqrt(k) / sigma
    epsilon = printed_range(text)[1]
    true = norm.sf(epsilon / mu - mu / 2) - np.exp(epsilon) * norm.sf(epsilon / mu + mu / 2)
    return true / delta


# %% test_account
def test_account(account):
    rng = np.random.default_rng(0)
    for _ in range(300):
        order, k = int(rng.integers(2, 301)), int(rng.integers(1, 1001))
        sigma, delta = 10 ** rng.uniform(0, 3), 10 ** rng.uniform(-25, -1)
        right = k * order / (2 * sigma**2) - np.log(delta) / (order - 1)
        assert np.isclose(account(order, sigma, k, delta), right, rtol=1e-5, atol=0)
