"""The noise is that of a count.

points:
    change_repaired: 0
"""

# %% repaired_change
def repaired_change(changes, low, high, epsilon, rng):
    n = len(changes)
    mean = sum(min(high, max(low, x)) for x in changes) / n
    cut = min(high, max(low, mean))
    scale = 1 / (n * epsilon)
    return cut + rng.laplace(0.0, scale)
