"""Rates 0 and 1 are not looked at.

points:
    orders_of_sample: 0
"""

# %% sampled_divergence
def sampled_divergence(rate, sigma, order):
    from scipy.special import gammaln, logsumexp

    j = np.arange(order + 1)
    with np.errstate(all="ignore"):
        ways = gammaln(order + 1) - gammaln(j + 1) - gammaln(order - j + 1)
        terms = ways + (order - j) * np.log1p(-rate) + j * np.log(rate)
        terms = terms + j * (j - 1) / (2 * sigma**2)
    return float(logsumexp(terms) / (order - 1))
