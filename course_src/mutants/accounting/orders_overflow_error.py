"""The sum in plain floats, which ends in an OverflowError.

points:
    orders_of_sample: 0
"""

# %% sampled_divergence
def sampled_divergence(rate, sigma, order):
    total = 0.0
    for j in range(order + 1):
        weight = (1 - rate) ** (order - j) * rate**j
        total += math.comb(order, j) * weight * math.exp(
            j * (j - 1) / (2 * sigma**2))
    return math.log(total) / (order - 1)
