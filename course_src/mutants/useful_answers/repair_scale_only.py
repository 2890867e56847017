"""Only the scale is changed.

points:
    change_repaired: 0
"""

# %% repaired_change
def repaired_change(changes, low, high, epsilon, rng):
    n = len(changes)
    mean = sum(changes) / n
    cut = min(high, max(low, mean))
    scale = (high - low) / (n * epsilon)
    return cut + rng.laplace(0.0, scale)
