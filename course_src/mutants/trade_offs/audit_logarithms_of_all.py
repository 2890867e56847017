"""The logarithm of what is left, if nothing is left.

points:
    claim_refuted: 0
"""

# %% epsilon_at_least
def epsilon_at_least(alarms, finds, trials, delta):
    from scipy.stats import beta

    error = 0.05 / (2 * len(alarms))
    best = 0.0
    for x, y in zip(alarms, finds):
        a = beta.ppf(1 - error, x + 1, trials - x) if x < trials else 1.0
        found = beta.ppf(error, y, trials - y + 1) if y > 0 else 0.0
        best = max(best, math.log((found - delta) / a), math.log((1 - a - delta) / (1 - found)))
    return best
