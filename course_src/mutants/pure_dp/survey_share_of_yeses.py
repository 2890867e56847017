"""The share of yeses is taken for that of the patients.

points:
    share_estimated: 0
"""

# %% survey
def survey(answers, truth, yes):
    n = len(answers)
    y = sum(answers) / n
    return [y, math.sqrt(y * (1 - y) / n) / truth]
