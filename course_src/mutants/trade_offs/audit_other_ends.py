"""Lower limits for the false alarms, upper ones for the finds.

points:
    claim_refuted: 0
"""

# %% epsilon_at_least
def epsilon_at_least(alarms, finds, trials, delta):
    from scipy.stats import beta

    error = 0.05 / (2 * len(alarms))
    best = 0.0
    for x, y in zip(alarms, finds):
        a = beta.ppf(error, x, trials - x + 1) if x > 0 else 0.0
        found = beta.ppf(1 - error, y + 1, trials - y) if y < trials else 1.0
        for value, price in ((found, a), (1 - a, 1 - found)):
            if value > delta:
                best = max(best, math.log((value - delta) / price) if price > 0 else math.inf)
    return float(best)
