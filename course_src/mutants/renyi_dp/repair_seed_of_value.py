"""Each value is the seed of its own noise, which is the same at every call.

points:
    vector_repaired: 0
"""

# %% repaired_vector
def repaired_vector(vector, sigma, rng):
    seed = int(rng.integers(2**31))
    noisy = []
    for value in vector:
        source = np.random.default_rng(abs(int(value)))
        noisy.append(value + source.normal(0.0, sigma))
    return noisy
