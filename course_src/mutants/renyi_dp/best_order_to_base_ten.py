"""The best order with a logarithm to base 10.

points:
    real_order: 0
"""

# %% best_order
def best_order(sigma, k, delta):
    log_term = math.log10(1 / delta)
    order = 1 + sigma * math.sqrt(2 * log_term / k)
    return order, k * order / (2 * sigma**2) + log_term / (order - 1)
