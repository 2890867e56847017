"""The most exact offices only.

points:
    averaged_well: 1.8
"""

# %% guessed_count
def guessed_count(answers, sigmas):
    best = [x for x, s in zip(answers, sigmas) if s == min(sigmas)]
    return round(sum(best) / len(best))
