"""The noisiest count for most.

points:
    averaged_well: 0
"""

# %% true_count
def true_count(answers, sigmas):
    return round(sum(s * x for s, x in zip(sigmas, answers)) / sum(sigmas))
