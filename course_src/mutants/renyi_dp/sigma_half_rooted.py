"""Only a part of the quotient stands under the root.

points:
    sigma_vector: 0
"""

# %% rdp_sigma
def rdp_sigma(sensitivities, order, epsilon_bar):
    return math.hypot(*sensitivities) * math.sqrt(order) / (2 * epsilon_bar)
