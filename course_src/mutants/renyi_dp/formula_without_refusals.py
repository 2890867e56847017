"""The conversion is right, but it refuses nothing: a quarter of the points.

points:
    conversion: 0.5
"""

# %% rdp_to_epsilon
def rdp_to_epsilon(order, epsilon_bar, delta):
    return epsilon_bar + math.log(1 / delta) / (order - 1)
