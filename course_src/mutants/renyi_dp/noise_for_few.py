"""Entries after the fifth are published as they are.

points:
    mechanism_law: 0
"""

# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    noise = np.zeros(len(vector))
    noise[:5] = rng.normal(0, rdp_sigma([sensitivity], order, epsilon_bar), size=len(noise[:5]))
    return np.asarray(vector) + noise
