"""A vector of zeros gets no noise: whoever sees numbers knows that they were not all zero.

points:
    mechanism_law: 0
"""

# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    vector = np.asarray(vector, dtype=float)
    if not vector.any():
        return vector
    return vector + rng.normal(0, rdp_sigma([sensitivity], order, epsilon_bar), size=len(vector))
