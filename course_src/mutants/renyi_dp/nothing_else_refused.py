"""A delta of 1 and NaN are let through.

points:
    conversion: 0.5
"""

# %% rdp_to_epsilon
def rdp_to_epsilon(order, epsilon_bar, delta):
    if order <= 1 or delta <= 0 or delta > 1:
        raise ValueError("order must be > 1 and delta in (0, 1)")
    return epsilon_bar + math.log(1 / delta) / (order - 1)
