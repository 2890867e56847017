"""Not divided by the sum of the weights.

points:
    averaged_well: 0
"""

# %% true_count
def true_count(answers, sigmas):
    return round(sum(x / s**2 for s, x in zip(sigmas, answers)) / len(answers))
