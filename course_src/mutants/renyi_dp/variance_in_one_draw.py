"""The variance as scale, and one draw for all coordinates.

points:
    mechanism_law: 0
"""

# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    variance = order * sensitivity**2 / (2 * epsilon_bar)
    return np.array(vector) + rng.normal(0.0, variance)
