"""The logarithm of a difference of two probabilities, which raises an error at 0.

points:
    snapped_exactly: 0
"""

# %% log_snapped
def log_snapped(answer, value, scale, bound):
    grid = 2.0 ** math.ceil(math.log2(scale))
    value = min(max(value, -bound), bound)

    def below(x):
        if x < value:
            return math.exp((x - value) / scale) / 2
        return 1 - math.exp((value - x) / scale) / 2

    low = 0.0 if answer == -bound else below(answer - grid / 2)
    high = 1.0 if answer == bound else below(answer + grid / 2)
    return math.log(high - low)
