"""Twice the larger bound.

points:
    change_repaired: 0
"""

# %% repaired_change
def repaired_change(changes, low, high, epsilon, rng):
    n = len(changes)
    mean = sum(min(high, max(low, change)) for change in changes) / n
    cut = min(high, max(low, mean))
    scale = 2 * max(abs(low), abs(high)) / (n * epsilon)
    return cut + rng.laplace(0.0, scale)
