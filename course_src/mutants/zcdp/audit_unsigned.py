"""One pair of limits for each event, and the sign of the difference is squared away.

points:
    claim_refuted: 0
"""

# %% rho_at_least
def rho_at_least(with_them, without, trials, steps):
    error = 0.05 / (4 * len(with_them))
    best = 0.0
    for x, y in zip(with_them, without):
        low, high = limits(x, trials, error)[0], limits(y, trials, error)[1]
        if low > 0:
            best = max(best, (math.sqrt(-math.log(high)) - math.sqrt(-math.log(low))) ** 2 / steps**2)
    return best
