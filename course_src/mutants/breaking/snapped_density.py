"""The density times the grid.

points:
    snapped_exactly: 0
"""

# %% log_snapped
def log_snapped(answer, value, scale, bound):
    grid = 2.0 ** math.ceil(math.log2(scale))
    value = min(max(value, -bound), bound)
    return -abs(answer - value) / scale + math.log(grid / (2 * scale))
