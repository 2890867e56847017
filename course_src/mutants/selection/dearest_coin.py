"""Randomized response.

points:
    dearest_found: 0
"""

# %% dearest_name
def dearest_name(epsilon, order):
    p = 1 / (1 + math.exp(-epsilon))
    if order == 1:
        return [p, (2 * p - 1) * epsilon]
    total = p * math.exp((order - 1) * epsilon) + (1 - p) * math.exp((1 - order) * epsilon)
    return [p, math.log(total) / (order - 1)]
