"""Shares in place of limits.

points:
    claim_refuted: 0
"""

# %% epsilon_at_least
def epsilon_at_least(alarms, finds, trials, delta):
    from scipy.stats import beta

    error = 0.05 / (2 * len(alarms))
    best = 0.0
    for x, y in zip(alarms, finds):
        a = x / trials
        found = y / trials
        for value, price in ((found, a), (1 - a, 1 - found)):
            if value > delta:
                best = max(best, math.log((value - delta) / price) if price else math.inf)
    return float(best)
