"""Weights 1 / sigma.

points:
    averaged_well: 2.1
"""

# %% guessed_count
def guessed_count(answers, sigmas):
    w = 1 / np.array(sigmas)
    return int(np.rint((w * answers).sum() / w.sum()))
