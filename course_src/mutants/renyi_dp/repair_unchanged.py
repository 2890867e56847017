"""The broken code under its new name.

points:
    vector_repaired: 0
"""

# %% repaired_vector
def repaired_vector(vector, sigma, rng):
    seed = int(rng.integers(2**31))
    noisy = []
    for value in vector:
        source = np.random.default_rng(seed)
        noisy.append(value + source.normal(0.0, sigma))
    return noisy
