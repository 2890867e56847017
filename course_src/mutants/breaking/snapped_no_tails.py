"""The ends gather nothing.

points:
    snapped_exactly: 0
"""

# %% snapped_chance
def snapped_chance(answer, value, scale, bound):
    from scipy.stats import laplace

    grid = 2.0 ** math.ceil(math.log2(scale))
    value = min(max(value, -bound), bound)
    low = answer - grid / 2
    high = answer + grid / 2
    return float(laplace.cdf(high, value, scale) - laplace.cdf(low, value, scale))
