"""A logarithm to base 10 in the conversion; what calls it is right, given a right one.

points:
    conversion: 0
"""

# %% rdp_to_epsilon
def rdp_to_epsilon(order, epsilon_bar, delta):
    if not order > 1 or not 0 < delta < 1:
        raise ValueError("order > 1 and 0 < delta < 1")
    return epsilon_bar + math.log10(1 / delta) / (order - 1)
