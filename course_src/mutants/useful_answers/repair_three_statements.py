"""Three statements are changed.

points:
    change_repaired: 0
"""

# %% repaired_change
def repaired_change(changes, low, high, epsilon, rng):
    n = len(changes)
    mean = sum(min(high, max(low, change)) for change in changes) / n
    cut = mean
    scale = (high - low) / (n * epsilon)
    return cut + rng.laplace(0.0, scale)
