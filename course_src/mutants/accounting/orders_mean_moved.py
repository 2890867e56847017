"""The mean is moved by the rate.

points:
    orders_of_sample: 0
"""

# %% sampled_divergence
def sampled_divergence(rate, sigma, order):
    return rate**2 * order / (2 * sigma**2)
