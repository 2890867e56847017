"""Composition adds the orders as well as the epsilons, and refuses nothing.

points:
    composition: 0
"""

# %% compose_rdp
def compose_rdp(guarantees):
    order, epsilon = 0, 0.0
    for a, e in guarantees:
        order += a
        epsilon += e
    return order, epsilon
