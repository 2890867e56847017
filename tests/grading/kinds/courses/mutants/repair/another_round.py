"""The one new statement calls a function that has the name of one of Python's.

points:
    total_repaired: 0
"""

# %% private_total
def round(values, bound, epsilon, rng):
    return sum(min(value, bound) for value in values) + rng.laplace(0.0, bound / epsilon)


def private_total(values, bound, epsilon, rng):
    most = max(values)
    clipped = [min(value, most) for value in values]
    noise = rng.laplace(0.0, most / epsilon)
    return round(values, bound, epsilon, rng)
