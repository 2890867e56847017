"""The sum of the squared sensitivities in the place of its root.

points:
    sigma_vector: 0
"""

# %% rdp_sigma
def rdp_sigma(sensitivities, order, epsilon_bar):
    return sum(s * s for s in sensitivities) * math.sqrt(order / (2 * epsilon_bar))
