"""Right: the laws are estimated, and the witnesses found by a search over all tables."""

# %% witness
import itertools

import numpy as np


def witness(name):
    mechanism, rng = globals()[name], np.random.default_rng(0)
    tables = [list(bits) for bits in itertools.product([0, 1], repeat=3)]
    laws = {}
    for table in tables:
        answers = [mechanism(table, rng) for _ in range(4000)]
        laws[tuple(table)] = np.bincount(np.array(answers) + 1, minlength=8) / 4000
    best = (0.05, None)
    for one in tables:
        for i in range(3):
            other = one[:i] + [1 - one[i]] + one[i + 1:]
            gain = laws[tuple(one)] - np.e * laws[tuple(other)]
            found = gain[gain > 0.01].sum()
            if found > best[0]:
                best = (found, [one, other, (np.flatnonzero(gain > 0.01) - 1).tolist()])
    return best[1]
