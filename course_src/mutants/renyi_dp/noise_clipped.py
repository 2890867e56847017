"""Noise beyond three standard deviations is clipped: no Rényi guarantee is left.

points:
    mechanism_law: 0
"""

# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    sigma = rdp_sigma([sensitivity], order, epsilon_bar)
    noise = rng.normal(0, sigma, size=len(vector))
    return np.asarray(vector) + np.clip(noise, -3 * sigma, 3 * sigma)
