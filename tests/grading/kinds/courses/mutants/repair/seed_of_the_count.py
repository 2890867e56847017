"""Each count has its own seed, and the same at every call.

points:
    counts_repaired: 0
"""

# %% private_counts
def private_counts(counts, epsilon, rng):
    seed = int(rng.integers(2**31))
    noisy = []
    for count in counts:
        source = np.random.default_rng(int(count))
        noisy.append(count + source.laplace(0.0, 1 / epsilon))
    return noisy
