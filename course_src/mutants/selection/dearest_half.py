"""p = 1/2 is taken for the worst.

points:
    dearest_found: 0
"""

# %% dearest_name
def dearest_name(epsilon, order):
    q = 1 / (1 + math.exp(epsilon))
    if order == 1:
        return [0.5, 0.5 * math.log(0.5 / q) + 0.5 * math.log(0.5 / (1 - q))]
    total = 0.5 * (0.5 / q) ** (order - 1) + 0.5 * (0.5 / (1 - q)) ** (order - 1)
    return [0.5, math.log(total) / (order - 1)]
