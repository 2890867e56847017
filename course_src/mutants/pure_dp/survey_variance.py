"""The variance, not the standard error.

points:
    share_estimated: 0
"""

# %% survey
def survey(answers, truth, yes):
    n = len(answers)
    y = sum(answers) / n
    return [(y - yes) / truth, y * (1 - y) / n / truth**2]
