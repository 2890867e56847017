"""The broken functions under their new names.

points:
    total_repaired: 0
    counts_repaired: 0
"""

# %% private_total
def private_total(values, bound, epsilon, rng):
    most = max(values)
    clipped = [min(value, most) for value in values]
    noise = rng.laplace(0.0, most / epsilon)
    return sum(clipped) + noise


# %% private_counts
def private_counts(counts, epsilon, rng):
    seed = int(rng.integers(2**31))
    noisy = []
    for count in counts:
        source = np.random.default_rng(seed)
        noisy.append(count + source.laplace(0.0, 1 / epsilon))
    return noisy
