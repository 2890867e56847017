"""The grid is the scale.

points:
    snapped_exactly: 0
"""

# %% log_snapped
def log_snapped(answer, value, scale, bound):
    grid = scale
    value = min(max(value, -bound), bound)
    if answer < value:  # turn it over: the answer is not below
        answer, value = -answer, -value
    far = (answer - grid / 2 - value) / scale
    width = math.inf if answer == bound else grid / scale
    if answer == -bound:  # and so is the value
        return math.log1p(-math.exp(-grid / 2 / scale) / 2)
    if far >= 0:
        return -far - math.log(2) + math.log(-math.expm1(-width))
    below, above = math.exp(far) / 2, math.exp(-far - width) / 2
    return math.log1p(-below - above)
