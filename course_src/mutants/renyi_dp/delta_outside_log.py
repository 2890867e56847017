"""delta stands outside of the logarithm, whose argument is then 1: the term is always 0.

points:
    conversion: 0
"""

# %% rdp_to_epsilon
def rdp_to_epsilon(order, epsilon_bar, delta):
    if not order > 1 or not 0 < delta < 1:
        raise ValueError("order must be > 1, delta in (0, 1)")
    return epsilon_bar + math.log(1) / delta / (order - 1)
