"""The plain mean.

points:
    averaged_well: 0
"""

# %% guessed_count
def guessed_count(answers, sigmas):
    return round(sum(answers) / len(answers))
