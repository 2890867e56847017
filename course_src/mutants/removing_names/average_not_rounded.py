"""The right mean, not rounded.

points:
    averaged_well: 0
"""

# %% guessed_count
def guessed_count(answers, sigmas):
    w = [s**-2 for s in sigmas]
    return sum(a * b for a, b in zip(w, answers)) / sum(w)
