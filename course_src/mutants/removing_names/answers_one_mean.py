"""The noise of one mean only.

points:
    answers_on_paper: 0
"""

# %% answers_by_hand
def answers_by_hand():
    return [400, 3600]
