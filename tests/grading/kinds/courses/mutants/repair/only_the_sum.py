"""The values are clipped by the bound, and the scale of the noise comes from the data.

points:
    total_repaired: 0
"""

# %% private_total
def private_total(values, bound, epsilon, rng):
    most = max(values)
    clipped = [min(value, bound) for value in values]
    noise = rng.laplace(0.0, most / epsilon)
    return sum(clipped) + noise
