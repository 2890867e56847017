"""The standard error is that of the share of yeses.

points:
    share_estimated: 0
"""

# %% survey
def survey(answers, truth, yes):
    n = len(answers)
    y = sum(answers) / n
    return [(y - yes) / truth, math.sqrt(y * (1 - y) / n)]
