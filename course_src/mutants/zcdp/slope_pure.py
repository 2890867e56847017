"""By the largest loss.

points:
    slope_found: 0
"""

# %% slope_above
def slope_above(p, q):
    epsilon = max(abs(math.log(x / y)) for x, y in zip(p, q))
    return epsilon * math.tanh(epsilon / 2)
