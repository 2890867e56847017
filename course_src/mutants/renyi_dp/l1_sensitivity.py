"""The L1 norm of the sensitivities where the Euclidean one belongs.

points:
    sigma_vector: 0
"""

# %% rdp_sigma
def rdp_sigma(sensitivities, order, epsilon_bar):
    return sum(sensitivities) * math.sqrt(order / (2 * epsilon_bar))
