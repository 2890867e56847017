"""The moments are computed as powers of floats.

points:
    third_laws: 0
"""

# %% bound_through
def bound_through(p, q, thirds, order):
    best = math.inf
    for r in thirds:
        first = sum(x ** (2 * order) * y ** (1 - 2 * order) for x, y in zip(p, r))
        second = sum(x ** (2 * order - 1) * y ** (2 - 2 * order) for x, y in zip(r, q))
        best = min(best, math.log(math.sqrt(first * second)) / (order - 1))
    return best
