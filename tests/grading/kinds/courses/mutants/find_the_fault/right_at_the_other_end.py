"""Right: other witnesses, events of several answers, numpy's numbers."""

# %% witness
import numpy as np

FOUND = {
    "true_count": (np.array([1, 1, 0]), np.array([1, 0, 0]), [2]),
    "asked_twice": (np.ones(3), np.array([1, 1, 0]), [6]),
    "noise_for_some": ([0, 0, 0], [0, 1, 0], [-1, 0]),
    "small_noise": ([1, 1, 1], [1, 0, 1], [4.0]),
}


def witness(name):
    return FOUND.get(name)
