"""The sensitivity is left out.

points:
    epsilon_found: 0
"""

# %% epsilon_needed
def epsilon_needed(scores, sensitivity, monotonic, behind, beta):
    gaps = max(scores) - np.asarray(scores, dtype=float)
    bad = gaps > behind
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
    return high * (1 if monotonic else 2)
