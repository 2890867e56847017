"""Only the order of cutting and averaging is changed.

points:
    change_repaired: 0
"""

# %% repaired_change
def repaired_change(changes, low, high, epsilon, rng):
    n = len(changes)
    mean = sum(min(high, max(low, change)) for change in changes) / n
    cut = min(high, max(low, mean))
    scale = max(abs(low), abs(high)) / (n * epsilon)
    return cut + rng.laplace(0.0, scale)
