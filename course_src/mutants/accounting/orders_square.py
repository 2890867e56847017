"""j squared in the exponent.

points:
    orders_of_sample: 0
"""

# %% sampled_divergence
def sampled_divergence(rate, sigma, order):
    from scipy.special import gammaln, logsumexp

    if rate == 0:
        return 0.0
    if rate == 1:
        return order**2 / (order - 1) / (2 * sigma**2)
    j = np.arange(order + 1)
    ways = gammaln(order + 1) - gammaln(j + 1) - gammaln(order - j + 1)
    terms = ways + (order - j) * math.log1p(-rate) + j * math.log(rate)
    terms = terms + j * j / (2 * sigma**2)
    return float(logsumexp(terms) / (order - 1))
