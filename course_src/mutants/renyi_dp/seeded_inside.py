"""A generator with a fixed seed inside the function: every call gives the same noise.

points:
    mechanism_law: 0
"""

# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    rng = np.random.default_rng(42)
    sigma = rdp_sigma([sensitivity], order, epsilon_bar)
    return np.asarray(vector) + rng.normal(0, sigma, size=len(vector))
