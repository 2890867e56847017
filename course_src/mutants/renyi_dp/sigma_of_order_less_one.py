"""The noise of a vector with order - 1 for the order.

points:
    sigma_vector: 0
"""

# %% rdp_sigma
def rdp_sigma(sensitivities, order, epsilon_bar):
    return math.hypot(*sensitivities) * math.sqrt((order - 1) / (2 * epsilon_bar))
