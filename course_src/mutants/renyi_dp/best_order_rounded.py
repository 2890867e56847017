"""The best order is rounded to two digits.

points:
    real_order: 0
"""

# %% best_order
def best_order(sigma, k, delta):
    log_term = math.log(1 / delta)
    order = round(1 + sigma * math.sqrt(2 * log_term / k), 2)
    return order, k * order / (2 * sigma**2) + log_term / (order - 1)
