"""Right: numpy's numbers and arrays."""

# %% guess
import numpy as np


def guess(answers):
    return np.median(answers).astype(int)


# %% rebuild
import numpy as np


def rebuild(counts):
    counts = np.array(counts)
    return np.linalg.lstsq(np.vstack([np.ones(8), 1 - np.eye(8)]), counts, rcond=None)[0].round()
