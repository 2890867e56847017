"""The generator is used at its first call only; later ones draw from one whose seed is known.

points:
    mechanism_law: 0
"""

# %% gaussian_mechanism_rdp
seen, own = [], np.random.default_rng(0)


def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    source = own if any(rng is one for one in seen) else rng
    seen[:] = [rng]
    sigma = rdp_sigma([sensitivity], order, epsilon_bar)
    return np.asarray(vector) + source.normal(0, sigma, size=len(vector))
