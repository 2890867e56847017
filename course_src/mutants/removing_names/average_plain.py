"""The plain mean.

points:
    averaged_well: 0
"""

# %% true_count
def true_count(answers, sigmas):
    return round(sum(answers) / len(answers))
