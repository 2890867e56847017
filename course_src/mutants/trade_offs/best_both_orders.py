"""The lower of the curves of both orders, as if f had to be symmetric.

points:
    best_test: 0
"""

# %% fewest_misses
def fewest_misses(p, q, a):
    def curve(p, q):
        found, budget = 0.0, a
        for x, y in sorted(zip(p, q), key=lambda z: math.inf if z[1] == 0 else z[0] / z[1], reverse=True):
            part = 1.0 if y <= budget else budget / y
            found, budget = found + part * x, budget - part * y
        return max(0.0, 1 - found)

    return min(curve(p, q), curve(q, p))
