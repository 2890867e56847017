"""The steps are forgotten.

points:
    claim_refuted: 0
"""

# %% rho_at_least
def rho_at_least(with_them, without, trials, steps):
    from scipy.stats import beta

    error = 0.05 / (4 * len(with_them))

    def limits(count):
        low = beta.ppf(error, count, trials - count + 1) if count > 0 else 0.0
        high = beta.ppf(1 - error, count + 1, trials - count) if count < trials else 1.0
        return float(low), float(high)

    def bound(likely, rare):  # a lower limit, and an upper one
        if likely <= rare:
            return 0.0
        return (math.sqrt(-math.log(rare)) - math.sqrt(-math.log(likely))) ** 2

    best = 0.0
    for x, y in zip(with_them, without):
        (low, high), (down, up) = limits(x), limits(y)
        for likely, rare in ((low, up), (down, high), (1 - high, 1 - down), (1 - up, 1 - low)):
            best = max(best, bound(likely, rare))
    return best
