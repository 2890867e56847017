"""The composition returns epsilon before the order.

points:
    composition: 0
"""

# %% compose_rdp
def compose_rdp(guarantees):
    if len({order for order, _ in guarantees}) != 1:
        raise ValueError("one order")
    return sum(epsilon for _, epsilon in guarantees), guarantees[0][0]
