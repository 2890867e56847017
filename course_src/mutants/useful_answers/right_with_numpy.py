"""Right: with numpy, arrays and numpy's numbers handed in."""

# %% errors_by_hand
def errors_by_hand():
    return np.array([12.9, 22.1, 25.6])


# %% people_needed
def people_needed(error, deviation, low, high, questions, epsilon):
    noise = np.sqrt(2.0) * questions * (high - low) / epsilon
    return np.int64(max(1, np.ceil(np.roots([error**2, -(deviation**2), -(noise**2)]).max())))


# %% best_bound
def best_bound(report, people, epsilon):
    stays = np.sort(np.asarray(report, dtype=float))
    below = np.concatenate([[0.0], stays[:-1]])
    k = np.arange(len(stays), 0, -1)
    total = np.cumsum(stays[::-1])[::-1]
    slope = np.sqrt(2) / (epsilon * people)
    m = len(stays)
    bounds = np.clip(total * k / (k**2 + (slope * m) ** 2), below, stays)
    errors = np.hypot((total - k * bounds) / m, slope * bounds)
    best = np.argmin(errors)
    return np.array([bounds[best], errors[best]])


# %% guess_stay
def guess_stay(answers, totals, epsilons):
    bounds = np.array([30, 60, 130, 365])
    size = np.abs(np.subtract(answers, totals)) @ np.array(epsilons)
    log = np.log([0.4, 0.3, 0.2, 0.1]) - len(totals) * np.log(bounds) - size / bounds
    return bounds[log.argmax()]


# %% repaired_change
def repaired_change(changes, low, high, epsilon, rng):
    n = len(changes)
    mean = np.mean(np.clip(changes, low, high))
    cut = min(high, max(low, mean))
    scale = (high - low) / (n * epsilon)
    return cut + rng.laplace(0.0, scale)


# %% two_answers
def two_answers(values, low, high, part, epsilon, rng):
    cut = np.clip(np.asarray(values, dtype=float), low, high)
    truth = np.array([np.sum(cut - (low + high) / 2), cut.size])
    scales = np.array([(high - low) / 2, 1.0]) / (epsilon * np.array([part, 1 - part]))
    return truth + rng.laplace(size=2) * scales


# %% test_noisy_mean
def test_noisy_mean(implementation):
    rng = np.random.default_rng(3)
    for _ in range(300):
        low, high = np.sort(rng.choice([-900, -40, -8, 0, 5, 30, 700], 2, replace=False)).tolist()
        values = rng.normal(scale=rng.choice([3, 60, 300]), size=int(rng.choice([1, 2, 9])))
        values = np.clip(values, -1000, 1000)
        epsilon, z = float(rng.choice([0.02, 0.5, 1.0, 6.0])), float(rng.normal() * 3)
        found = implementation(values.tolist(), low, high, epsilon, z)
        wanted = np.clip(values, low, high).mean() + z * (high - low) / (values.size * epsilon)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


# %% published_total
def published_total(counts, epsilon, least):
    c = np.array(counts, dtype=float)
    rare = np.exp(-np.abs(least - c) * epsilon) / 2
    shown = np.where(c <= least, rare * (least + 1 / epsilon), c - rare * (least - 1 / epsilon))
    return np.array([np.sum(shown - c), np.count_nonzero(c == 0) * np.exp(-least * epsilon) / 2])


# %% reach
def reach(sampling, scale, miss):
    from scipy.special import ndtr, ndtri

    if scale == 0:
        return -sampling * ndtri(miss / 2)
    # average over the noise, by its quantiles on either side
    x = (np.arange(40_000) + 0.5) / 40_000
    noise = -scale * np.log(x)
    if sampling == 0:
        return np.float64(-scale * np.log(miss))

    low, high = 0.0, 50 * (sampling + scale)
    for _ in range(36):
        w = (low + high) / 2
        above = np.mean(ndtr((noise - w) / sampling) + ndtr((-noise - w) / sampling)) / 2
        low, high = (w, high) if above > miss / 2 else (low, w)
    return w


# %% year_by_hand
def year_by_hand():
    return np.array([141.4, 64.2, 13.0, 14.2])


# %% noise_for_year
def noise_for_year():
    lengths = np.array([3.0, 9.0])
    ratios = np.array([1.0, 2.33])
    sigmas = ratios * 5.49527 * np.sqrt(20 * np.sum((lengths / ratios) ** 2))
    return {"mechanism": "Gaussian", **dict(zip(["sigma_weeks", "sigma_year"], sigmas))}


# %% witness
def witness(name):
    if name == "longest":
        return [[1, 3], [1], np.array([4])]
    found = {
        "rounded": [[0, 0], [0], [3]],
        "cut_late": [[0, 3], [0], [3]],
        "if_anybody": [[0], [0, 3], [9]],
    }
    return found.get(name)
