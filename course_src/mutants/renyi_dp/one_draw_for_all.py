"""One draw of noise is added to all coordinates.

points:
    mechanism_law: 0
"""

# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    sigma = rdp_sigma([sensitivity], order, epsilon_bar)
    return np.asarray(vector) + rng.normal(0, sigma)
