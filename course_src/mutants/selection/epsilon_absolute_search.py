"""The search by scipy's brentq stops at an absolute error of 2e-12, and the least epsilon may be of that size.

points:
    epsilon_found: 0
"""

# %% epsilon_needed
def epsilon_needed(scores, sensitivity, monotonic, behind, beta):
    from scipy.optimize import brentq

    gaps = max(scores) - np.asarray(scores, dtype=float)
    bad = gaps > behind
    if bad.mean() <= beta:
        return 0.0
    unit = sensitivity * (1 if monotonic else 2)

    def missing(epsilon):
        weights = np.exp(-epsilon * gaps / unit)
        return weights[bad].sum() / weights.sum() - beta

    high = 1.0
    while missing(high) > 0:
        high *= 2
    return brentq(missing, 0, high)
