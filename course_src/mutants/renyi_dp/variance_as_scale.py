"""The variance is handed to numpy as the scale.

points:
    mechanism_law: 0
"""

# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    variance = order * sensitivity**2 / (2 * epsilon_bar)
    return np.array(vector) + rng.normal(scale=variance, size=len(vector))
