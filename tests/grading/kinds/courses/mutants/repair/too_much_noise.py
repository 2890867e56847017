"""The generator is the caller's, and the noise is that of a person in all counts: two statements, and too wide.

points:
    counts_repaired: 0
"""

# %% private_counts
def private_counts(counts, epsilon, rng):
    seed = int(rng.integers(2**31))
    noisy = []
    for count in counts:
        source = rng
        noisy.append(count + source.laplace(0.0, len(counts) / epsilon))
    return noisy
