"""Answers with q = 0 make it infinite.

points:
    bent_values: 0
"""

# %% bent_mean
def bent_mean(corners, slope, p, q):
    places, heights = zip(*corners)

    def f(u):
        return float(np.interp(u, places, heights)) + slope * max(0.0, u - places[-1])

    return sum(y * f(x / y) if y > 0 else (math.inf if x > 0 else 0.0) for x, y in zip(p, q))
