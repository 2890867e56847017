"""Zeros are seen to, and the powers of a large order are too large for floats.

points:
    third_laws: 0
"""

# %% bound_through
def bound_through(p, q, thirds, order):
    def moment(first, second, a):
        total = 0.0
        for x, y in zip(first, second):
            if x > 0 and y == 0:
                return math.inf
            if x > 0:
                total += x**a * y ** (1 - a)
        return total

    best = math.inf
    for r in thirds:
        bound = moment(p, r, 2 * order) * moment(r, q, 2 * order - 1)
        best = min(best, math.log(bound) / 2 / (order - 1))
    return best
