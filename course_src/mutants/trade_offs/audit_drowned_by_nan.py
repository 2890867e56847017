"""With numpy: the NaN of one rule is the largest bound of all, and max(0, NaN) is 0.

points:
    claim_refuted: 0
"""

# %% epsilon_at_least
def epsilon_at_least(alarms, finds, trials, delta):
    from scipy.stats import beta

    x, y = np.array(alarms), np.array(finds)
    error = 0.05 / (2 * len(x))
    a = beta.ppf(1 - error, x + 1, trials - x)
    found = beta.ppf(error, y, trials - y + 1)
    first = np.log((found - delta) / a)
    second = np.log((1 - a - delta) / (1 - found))
    return max(0, np.max(first), np.max(second))
