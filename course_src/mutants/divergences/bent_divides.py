"""It divides by 0.

points:
    bent_values: 0
"""

# %% bent_mean
def bent_mean(corners, slope, p, q):
    places, heights = zip(*corners)

    def f(u):
        return float(np.interp(u, places, heights)) + slope * max(0.0, u - places[-1])

    return sum(y * f(x / y) for x, y in zip(p, q))
