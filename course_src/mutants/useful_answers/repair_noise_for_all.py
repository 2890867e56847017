"""A whole span of noise for the cut average.

points:
    change_repaired: 0
"""

# %% repaired_change
def repaired_change(changes, low, high, epsilon, rng):
    n = len(changes)
    mean = sum(changes) / n
    cut = min(high, max(low, mean))
    scale = (high - low) / epsilon
    return cut + rng.laplace(0.0, scale)
