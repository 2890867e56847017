"""A right bell, written anew.

points:
    bell_repaired: 0
"""

# %% repaired_bell
def repaired_bell(counts, threshold, epsilon, rng):
    level = threshold + rng.laplace(0.0, 2 / epsilon)
    noisy = np.asarray(counts) + rng.laplace(0.0, 4 / epsilon, len(counts))
    above = np.flatnonzero(noisy >= level)
    return int(above[0]) if above.size else -1
