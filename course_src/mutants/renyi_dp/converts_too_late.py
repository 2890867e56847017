"""The grid's order is chosen by the Rényi epsilon, before the conversion.

points:
    grid_order: 0
"""

# %% best_in_grid
def best_in_grid(orders, epsilons, delta):
    i = int(np.argmin(epsilons))
    return orders[i], rdp_to_epsilon(orders[i], epsilons[i], delta)
