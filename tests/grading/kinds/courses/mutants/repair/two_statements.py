"""Right by its law, but two statements are different where one would do.

points:
    total_repaired: 0
"""

# %% private_total
def private_total(values, bound, epsilon, rng):
    most = max(values)
    clipped = [min(value, bound) for value in values]
    noise = rng.laplace(0.0, bound / epsilon)
    return sum(clipped) + noise
