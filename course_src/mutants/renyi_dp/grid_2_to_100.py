"""The best order is searched among the integers 2 to 100.

points:
    real_order: 0
"""

# %% best_order
def best_order(sigma, k, delta):
    found = []
    for order in range(2, 101):
        epsilon_bar = k * order / (2 * sigma**2)
        found.append((epsilon_bar + math.log(1 / delta) / (order - 1), order))
    epsilon, order = min(found)
    return order, epsilon
