"""The moments are mixed.

points:
    orders_of_sample: 0
"""

# %% sampled_divergence
def sampled_divergence(rate, sigma, order):
    if rate == 0:
        return 0.0
    if rate == 1:
        return order / (2 * sigma**2)
    top = math.log(rate) + order * (order - 1) / (2 * sigma**2)
    return float(np.logaddexp(math.log1p(-rate), top) / (order - 1))
