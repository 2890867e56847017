"""The two numbers are exchanged.

points:
    answers_on_paper: 0
"""

# %% answers_by_hand
def answers_by_hand():
    return [7200, 800]
