"""The laws are exchanged.

points:
    bent_values: 0
"""

# %% bent_mean
def bent_mean(corners, slope, p, q):
    places, heights = zip(*corners)

    def f(u):
        return float(np.interp(u, places, heights)) + slope * max(0.0, u - places[-1])

    return sum(x * f(y / x) if x > 0 else y * slope for x, y in zip(p, q))
