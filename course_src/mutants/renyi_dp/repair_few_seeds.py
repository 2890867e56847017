"""Each coordinate has a seed of its own, one of ten.

points:
    vector_repaired: 0
"""

# %% repaired_vector
def repaired_vector(vector, sigma, rng):
    seed = int(rng.integers(2**31))
    noisy = []
    for value in vector:
        source = np.random.default_rng(int(rng.integers(10)))
        noisy.append(value + source.normal(0.0, sigma))
    return noisy
