"""Right: scipy, linear programs and the laws of scipy.stats."""

# %% errors_by_hand
def errors_by_hand():
    return np.array([0.3, 0.78, 0.42])


# %% fewest_misses
def fewest_misses(p, q, a):
    # the test is a list of chances to accuse, one for each answer
    from scipy.optimize import linprog

    found = linprog(-np.array(p), A_ub=[q], b_ub=[a], bounds=(0, 1), method="highs")
    return 1 + found.fun


# %% can_be_a_curve
def can_be_a_curve(alarms, misses):
    # the largest convex curve below the corners goes through all of them
    a, b = np.array(alarms, float), np.array(misses, float)
    if (b < -1e-9).any() or (a + b > 1 + 1e-9).any():
        return np.False_
    for j in range(1, len(a) - 1):
        for i in range(j):
            for k in range(j + 1, len(a)):
                chord = b[i] + (b[k] - b[i]) * (a[j] - a[i]) / (a[k] - a[i])
                if b[j] > chord + 1e-9:
                    return np.False_
    return np.True_


# %% delta_from_pairs
def delta_from_pairs(pairs, epsilon):
    # the least f(a) + e^epsilon a, f above all lines: two unknowns, a and f
    from scipy.optimize import linprog

    rows, limits = [], []
    for e, d in pairs:
        rows += [[-math.exp(e), -1], [-math.exp(-e), -1]]
        limits += [d - 1, math.exp(-e) * (d - 1)]
    found = linprog([math.exp(epsilon), 1], rows, limits, bounds=[(0, 1), (0, None)], method="highs")
    return 1 - found.fun


# %% rates_by_hand
def rates_by_hand():
    return (0.441, 0.514, 2.708)


# %% sigma_for_court
def sigma_for_court(k, share, alarms, sure):
    from scipy.optimize import brentq
    from scipy.stats import norm

    def how_sure(sigma):
        found = norm.sf(norm.isf(alarms) - np.sqrt(k) / sigma)
        return share * found / (share * found + (1 - share) * alarms)

    return 1.0001 * brentq(lambda sigma: how_sure(sigma) - sure, 1e-3, 1e6)


# %% is_in
def is_in(answers, wheels):
    with np.errstate(divide="ignore"):
        logs = np.log(np.pad(np.array(wheels), ((0, 0), (1, 1))))
    places = np.array(answers) - 137 + 4
    rows = np.arange(3)
    without, with_ada = logs[rows, places].sum(), logs[rows, places - 1].sum()
    return int(with_ada > without)


# %% test_interval
def test_interval(interval):
    from scipy.stats import binomtest

    for count, trials in [(0, 25), (25, 25), (1, 12), (11, 12), (7, 19), (3, 4000), (3990, 4000), (800, 4000)]:
        right = binomtest(count, trials).proportion_ci(0.95, method="exact")
        assert np.allclose(interval(count, trials), [right.low, right.high], rtol=1e-5, atol=1e-8)


# %% epsilon_at_least
def epsilon_at_least(alarms, finds, trials, delta):
    from scipy.stats import binomtest

    level = 1 - 0.05 / len(alarms)
    bounds = [0.0]
    for x, y in zip(alarms, finds):
        a = binomtest(x, trials).proportion_ci(level, method="exact").high
        b = 1 - binomtest(y, trials).proportion_ci(level, method="exact").low
        bounds += [np.log(max(v - delta, 1e-300) / w) for v, w in ((1 - b, a), (1 - a, b))]
    return np.max(bounds)
