"""The noisiest count for most.

points:
    averaged_well: 0
"""

# %% guessed_count
def guessed_count(answers, sigmas):
    return round(sum(s * x for s, x in zip(sigmas, answers)) / sum(sigmas))
