"""Right: arrays of numpy."""

# %% fewest_misses
def fewest_misses(p, q, a):
    p, q = np.array(p, float), np.array(q, float)
    p, q = p[(p > 0) | (q > 0)], q[(p > 0) | (q > 0)]
    with np.errstate(divide="ignore"):
        order = np.argsort(-(p / q), kind="stable")
    alarms = np.append(np.insert(np.cumsum(q[order]), 0, 0.0), 1.0)
    found = np.append(np.insert(np.cumsum(p[order]), 0, 0.0), 1.0)
    # np.interp takes the last of several heights at one place only beyond it
    return 1 - max(np.interp(a, alarms, found), found[alarms <= a].max())


# %% can_be_a_curve
def can_be_a_curve(alarms, misses):
    a, b = np.asarray(alarms), np.asarray(misses)
    slopes = np.diff(b) / np.diff(a)
    return bool(b.min() > -1e-8 and (a + b).max() < 1 + 1e-8 and (np.diff(slopes) > -1e-5).all())


# %% delta_from_pairs
def delta_from_pairs(pairs, epsilon):
    # each pair and its mirror image; then the dual: the lower convex hull in (e^epsilon, delta)
    e, d = np.array(pairs, float).T
    slopes = np.concatenate([np.exp(e), np.exp(-e), [0.0]])
    heights = np.concatenate([1 - d, np.exp(-e) * (1 - d), [0.0]])
    s, t = np.meshgrid(slopes, slopes)
    h, k = np.meshgrid(heights, heights)
    with np.errstate(divide="ignore", invalid="ignore"):
        a = ((h - k) / (s - t)).ravel()
    a = np.concatenate([a[(a >= 0) & (a <= 1)], [0.0, 1.0]])
    curve = (heights[:, None] - slopes[:, None] * a).max(axis=0)
    return np.max(1 - curve - np.exp(epsilon) * a)


# %% witness
def witness(name):
    if name == "bare_coin":
        return ([1], [0], [41])
    found = {
        "two_chances": (np.array([0]), np.array([1]), np.array([42])),
        "whispers": [[1], [0], [45, 44, 43, 42]],
        "one_way": [[0.0], [1.0], [44.0]],
    }
    return found.get(name)


# %% epsilon_at_least
def epsilon_at_least(alarms, finds, trials, delta):
    from scipy.special import betainccinv, betaincinv

    x, y = np.array(alarms, float), np.array(finds, float)
    error = 0.05 / (2 * len(x))
    a = np.where(x < trials, betainccinv(x + 1, np.maximum(trials - x, 1), error), 1.0)
    hit = np.where(y > 0, betaincinv(np.maximum(y, 1), trials - y + 1, error), 0.0)
    ratios = np.concatenate([(hit - delta) / a, (1 - a - delta) / (1 - hit)])
    return np.log(max(1.0, ratios.max()))


# %% test_interval
def test_interval(interval):
    # the hints to the letter
    from scipy.stats import binom

    for trials in (20, 10_000):
        for count in (0, 1, 3, trials // 2, trials - 1, trials):
            low, high = interval(count, trials)
            more, fewer = binom.sf(count - 1, trials, low), binom.cdf(count, trials, high)
            assert low == 0 if count == 0 else np.isclose(more, 0.025, rtol=0.01, atol=0)
            assert high == 1 if count == trials else np.isclose(fewer, 0.025, rtol=0.01, atol=0)
