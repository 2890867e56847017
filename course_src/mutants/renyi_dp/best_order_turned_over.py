"""The quotient under the root is upside down.

points:
    real_order: 0
"""

# %% best_order
def best_order(sigma, k, delta):
    log_term = math.log(1 / delta)
    rho = k / (2 * sigma**2)
    order = 1 + math.sqrt(rho / log_term)
    return order, rho * order + log_term / (order - 1)
