"""The curve on a grid of 1,001 points.

points:
    pairs_together: 0
"""

# %% delta_from_pairs
def delta_from_pairs(pairs, epsilon):
    a = np.linspace(0, 1, 1001)
    curve = np.zeros_like(a)
    for e, d in pairs:
        curve = np.maximum(curve, 1 - d - math.exp(e) * a)
        curve = np.maximum(curve, math.exp(-e) * (1 - d - a))
    return float(np.max(1 - curve - math.exp(epsilon) * a))
