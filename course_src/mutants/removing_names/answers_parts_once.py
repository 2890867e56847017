"""Three parts cost three times as much.

points:
    answers_on_paper: 0
"""

# %% answers_by_hand
def answers_by_hand():
    return [800, 2400]
