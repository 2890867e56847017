"""The estimate is cut off at 0 and 1.

points:
    share_estimated: 0
"""

# %% survey
def survey(answers, truth, yes):
    n = len(answers)
    y = sum(answers) / n
    return [min(1, max(0, (y - yes) / truth)), math.sqrt(y * (1 - y) / n) / truth]
