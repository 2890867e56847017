"""The noise comes from numpy's global generator; `rng` is not used.

points:
    mechanism_law: 0
"""

# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    sigma = rdp_sigma([sensitivity], order, epsilon_bar)
    return [x + np.random.normal(loc=0, scale=sigma) for x in vector]
