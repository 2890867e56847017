"""The bound is divided by the order of the second moment.

points:
    third_laws: 0
"""

# %% bound_through
def bound_through(p, q, thirds, order):
    def log_moment(first, second, a):
        terms = []
        for x, y in zip(first, second):
            if x > 0 and y == 0:
                return math.inf
            if x > 0:
                terms.append(a * math.log(x) + (1 - a) * math.log(y))
        return float(np.logaddexp.reduce(terms))

    bounds = [log_moment(p, r, 2 * order) + log_moment(r, q, 2 * order - 1) for r in thirds]
    return min(bounds) / 2 / (2 * order - 1)
