"""Right: a seed for each count, drawn from the caller's generator; an import stands in the cell."""

# %% private_counts
import numpy as np


def private_counts(counts, epsilon, rng):
    """A generator for each count."""
    seed = int(rng.integers(2**31))
    noisy = []
    for count in counts:
        source = np.random.default_rng(int(rng.integers(2**62)))
        noisy.append(count + source.laplace(0.0, 1 / epsilon))
    return noisy
