"""The pairs are compared by their orders.

points:
    grid_order: 0
"""

# %% best_in_grid
def best_in_grid(orders, epsilons, delta):
    return min((a, rdp_to_epsilon(a, e, delta)) for a, e in zip(orders, epsilons))
