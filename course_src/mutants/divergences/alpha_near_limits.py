"""An order within 0.001 of 0 or 1 is taken for its limit.

points:
    alpha_values: 0
"""

# %% alpha_divergence
def alpha_divergence(p, q, order):
    if abs(order) < 1e-3:
        return alpha_divergence(q, p, 1)
    total = 0.0
    for x, y in zip(p, q):
        if x > 0 and y > 0:
            total += x * math.log(x / y) if abs(order - 1) < 1e-3 else x**order * y ** (1 - order)
        elif x > 0 and order > 1 - 1e-3 or y > 0 and order < 0:
            return math.inf
    return total if abs(order - 1) < 1e-3 else (total - 1) / (order * (order - 1))
