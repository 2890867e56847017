"""The variance of a sum of three is nine times that of one.

points:
    answers_on_paper: 0
"""

# %% answers_by_hand
def answers_by_hand():
    return [800, 21600]
