"""Right: scipy, logarithms and quadrature."""

# %% epsilon_needed
def epsilon_needed(scores, sensitivity, monotonic, behind, beta):
    from scipy.optimize import brentq
    from scipy.special import logsumexp

    gaps = max(scores) - np.array(scores, dtype=float)
    bad = gaps[gaps > behind]
    if bad.size <= beta * gaps.size:
        return 0.0
    unit = bad.min()

    def excess(t):
        return logsumexp(-t * bad / unit) - logsumexp(-t * gaps / unit) - math.log(beta)

    t = brentq(excess, 0, 2 * math.log(len(scores) / beta) + 1, xtol=1e-14) / unit
    return t * sensitivity * (1 if monotonic else 2)

# %% median_quantile
def median_quantile(ages, low, high, epsilon, u):
    from scipy.special import logsumexp

    ends = np.array([low, *sorted(np.clip(ages, low, high)), high], dtype=float)
    n = len(ages)
    with np.errstate(divide="ignore"):
        logs = np.log(np.diff(ends)) - epsilon / 2 * abs(n - 2 * np.arange(n + 1))
    sums = np.concatenate(([0], np.cumsum(np.exp(logs - logsumexp(logs)))))
    return float(np.interp(u, sums, ends))

# %% dearest_name
def dearest_name(epsilon, order):
    """In closed form: the loss takes t and t - epsilon, and the mean of exp(-loss) is 1."""
    e = math.expm1(epsilon)
    if order == 1:
        from scipy.optimize import brentq

        def slope(p):  # of t - (1 - p) epsilon, with exp(t) = p + (1 - p) exp(epsilon)
            return -e / (p + (1 - p) * math.exp(epsilon)) + epsilon

        p = brentq(slope, 0, 1, xtol=1e-15)
        return [p, math.log(p + (1 - p) * math.exp(epsilon)) - (1 - p) * epsilon]
    b = order - 1
    c = math.expm1(b * epsilon) / -math.expm1(-epsilon)
    x = b * (1 + c) / (order * c)
    d = (b * math.log(x) + math.log(1 + c * (1 - x))) / b
    p = (math.exp(epsilon) - x * math.exp(epsilon)) / e
    return [p, d]
