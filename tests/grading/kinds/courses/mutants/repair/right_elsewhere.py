"""Right: other statements are changed, other quotes, spaces, comments and line breaks."""

# %% private_total
def private_total(values, bound, epsilon, rng):
    '''Mended.'''
    most = min(bound, math.inf)  # not of the data
    clipped = [
        min(value, most)
        for value in values
    ]
    noise = rng.laplace(0.0, most/epsilon)
    return (sum(clipped) + noise)


# %% private_counts
def private_counts(counts, epsilon, rng):
    seed = int(rng.integers(2**31))
    noisy = []
    for count in counts:
        source = np.random.default_rng(seed)

        noisy.append(count + rng.laplace(0.0, 1 / epsilon))
    return noisy
