"""np.interp alone, flat beyond the last corner.

points:
    bent_values: 0
"""

# %% bent_mean
def bent_mean(corners, slope, p, q):
    places, heights = zip(*corners)
    return sum(y * float(np.interp(x / y, places, heights)) if y > 0 else x * slope for x, y in zip(p, q))
