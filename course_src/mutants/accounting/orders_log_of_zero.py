"""The logarithm of the rates 0 and 1 is an error.

points:
    orders_of_sample: 0
"""

# %% sampled_divergence
def sampled_divergence(rate, sigma, order):
    from scipy.special import gammaln, logsumexp

    j = np.arange(order + 1)
    terms = gammaln(order + 1) - gammaln(j + 1) - gammaln(order - j + 1)
    terms = terms + (order - j) * math.log(1 - rate)
    terms = terms + j * math.log(rate) + j * (j - 1) / (2 * sigma**2)
    return float(logsumexp(terms) / (order - 1))
