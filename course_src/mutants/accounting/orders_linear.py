"""The rate times the divergence.

points:
    orders_of_sample: 0
"""

# %% sampled_divergence
def sampled_divergence(rate, sigma, order):
    return rate * order / (2 * sigma**2)
