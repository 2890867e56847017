"""Right: scipy's laws and its search for roots."""

# %% delta_of_moved
def delta_of_moved(noise, top, epsilon):
    from scipy.stats import rv_discrete

    m = len(noise) // 2
    law = rv_discrete(values=(range(-m, m + 1), noise))

    def chances(count):
        cdf = [law.cdf(y - count) for y in range(top)] + [1.0]
        return np.diff(cdf, prepend=0.0)

    worst = 0.0
    factor = math.exp(epsilon) if epsilon < 600 else 1e250
    for n in range(top):
        p, q = chances(n), chances(n + 1)
        p, q = np.where(p < 1e-14, 0, p), np.where(q < 1e-14, 0, q)
        worst = max(worst, np.maximum(p - factor * q, 0).sum(), np.maximum(q - factor * p, 0).sum())
    return worst


# %% snapped_chance
def snapped_chance(answer, value, scale, bound):
    from scipy.special import logsumexp
    from scipy.stats import expon

    grid = 2.0 ** math.ceil(math.log(scale, 2) - 1e-12)
    value = min(max(value, -bound), bound)
    if answer < value:
        answer, value = -answer, -value

    def log_above(t):
        if t < 0:
            return math.log1p(-math.exp(t / scale) / 2)
        return expon.logsf(t, scale=scale) - math.log(2)

    low = log_above(answer - grid / 2 - value) if answer > -bound else 0.0
    high = log_above(answer + grid / 2 - value) if answer < bound else -math.inf
    return np.exp(logsumexp([low, high], b=[1, -1]))


# %% runs_needed
def runs_needed(p, q, claim):
    import itertools

    from scipy.special import betaincinv
    from scipy.optimize import brentq

    best = 1e6
    for chosen in itertools.product((0, 1), repeat=len(p)):
        for one, other in ((p, q), (q, p)):
            a, b = np.dot(chosen, one), np.dot(chosen, other)
            if sum(chosen) in (0, len(p)) or a / b <= math.exp(claim):
                continue

            def missing(n):
                low = betaincinv(n * a, n - n * a + 1, 0.025)
                return claim - math.log(low / betaincinv(n * b + 1, n - n * b, 0.975))

            if missing(best) < 0:
                best = 1.0 if missing(1.0) < 0 else brentq(missing, 1.0, best, xtol=0.1)
    return math.ceil(best + 0.2)


# %% test_noise_of
def test_noise_of(implementation):
    # by the law: all lists of ten coins are equally likely
    import itertools
    import re

    for first in itertools.product("01", repeat=9):
        text = "".join(first) + "10"
        match = re.match(r"((?:00)*)(1(1*)0|0(1+)0)", text)
        if match is None:
            continue
        noise = len(match[3]) if match[3] is not None else -len(match[4])
        assert implementation([int(x) for x in text]) == [noise, len(match[0])]
