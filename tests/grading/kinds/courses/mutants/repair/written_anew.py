"""Right by its law, and another function.

points:
    total_repaired: 0
    counts_repaired: 0
"""

# %% private_total
def private_total(values, bound, epsilon, rng):
    return np.minimum(values, bound).sum() + rng.laplace(0, bound / epsilon)


# %% private_counts
def private_counts(counts, epsilon, rng):
    return np.asarray(counts) + rng.laplace(0, 1 / epsilon, len(counts))
