"""Not divided by the sum of the weights.

points:
    averaged_well: 0
"""

# %% guessed_count
def guessed_count(answers, sigmas):
    return round(sum(x / s**2 for s, x in zip(sigmas, answers)) / len(answers))
