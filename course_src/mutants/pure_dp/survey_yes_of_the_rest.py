"""`yes` is taken for the share of the turns that do not say: answer truly.

points:
    share_estimated: 0
"""

# %% survey
def survey(answers, truth, yes):
    n = len(answers)
    y = sum(answers) / n
    return [(y - (1 - truth) * yes) / truth, math.sqrt(y * (1 - y) / n) / truth]
