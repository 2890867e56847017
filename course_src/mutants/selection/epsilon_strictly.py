"""A candidate that is exactly so far behind is not good enough.

points:
    epsilon_found: 0
"""

# %% epsilon_needed
def epsilon_needed(scores, sensitivity, monotonic, behind, beta):
    gaps = max(scores) - np.asarray(scores, dtype=float)
    bad = (gaps >= behind) & (gaps > 0)
    if bad.mean() <= beta:
        return 0.0
    low, high = 0.0, 1e9
    for _ in range(200):
        t = (low + high) / 2
        weights = np.exp(-t * gaps)
        if weights[bad].sum() > beta * weights.sum():
            low = t
        else:
            high = t
    return high * sensitivity * (1 if monotonic else 2)
