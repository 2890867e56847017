"""The density times the grid.

points:
    snapped_exactly: 0
"""

# %% snapped_chance
def snapped_chance(answer, value, scale, bound):
    grid = 2.0 ** math.ceil(math.log2(scale))
    value = min(max(value, -bound), bound)
    return grid * math.exp(-abs(answer - value) / scale) / (2 * scale)
