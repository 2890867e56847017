"""The numbers of the coin of the chapter, for every wheel.

points:
    share_estimated: 0
"""

# %% survey
def survey(answers, truth, yes):
    n = len(answers)
    y = sum(answers) / n
    return [2 * y - 0.5, 2 * math.sqrt(y * (1 - y) / n)]
