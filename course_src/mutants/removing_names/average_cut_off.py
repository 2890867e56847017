"""The right mean, cut off.

points:
    averaged_well: 0
"""

# %% true_count
def true_count(answers, sigmas):
    w = [s**-2 for s in sigmas]
    return int(sum(a * b for a, b in zip(w, answers)) / sum(w))
