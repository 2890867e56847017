"""Cut above only.

points:
    change_repaired: 0
"""

# %% repaired_change
def repaired_change(changes, low, high, epsilon, rng):
    n = len(changes)
    mean = sum(min(high, change) for change in changes) / n
    cut = min(high, max(low, mean))
    scale = (high - low) / (n * epsilon)
    return cut + rng.laplace(0.0, scale)
