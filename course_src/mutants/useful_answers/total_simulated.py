"""By a simulation.

points:
    total_expected: 0
"""

# %% published_total
def published_total(counts, epsilon, least):
    rng = np.random.default_rng(1)
    noisy = np.array(counts) + rng.laplace(0, 1 / epsilon, (1000, len(counts)))
    shown = np.where(noisy < least, 0, noisy)
    empty = np.array(counts) == 0
    return [float(shown.sum(axis=1).mean() - sum(counts)), float((shown[:, empty] > 0).sum(axis=1).mean())]
