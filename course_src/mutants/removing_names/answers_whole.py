"""The threshold is taken to be 1.

points:
    answers_on_paper: 0
"""

# %% answers_by_hand
def answers_by_hand():
    return [200, 1800]
