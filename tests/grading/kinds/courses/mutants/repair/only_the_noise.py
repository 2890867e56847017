"""The scale of the noise is mended, and the sum is not clipped by the bound.

points:
    total_repaired: 0
"""

# %% private_total
def private_total(values, bound, epsilon, rng):
    most = max(values)
    clipped = [min(value, most) for value in values]
    noise = rng.laplace(0.0, bound / epsilon)
    return sum(clipped) + noise
