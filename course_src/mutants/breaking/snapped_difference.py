"""A difference of two probabilities.

points:
    snapped_exactly: 0
"""

# %% log_snapped
def log_snapped(answer, value, scale, bound):
    from scipy.stats import laplace
    grid = 2.0 ** math.ceil(math.log2(scale))
    value = min(max(value, -bound), bound)
    low = -math.inf if answer == -bound else answer - grid / 2
    high = math.inf if answer == bound else answer + grid / 2
    with np.errstate(divide="ignore"):
        return float(np.log(laplace.cdf(high, value, scale) - laplace.cdf(low, value, scale)))
