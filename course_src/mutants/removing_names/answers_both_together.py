"""The answers to both questions.

points:
    answers_on_paper: 0
"""

# %% answers_by_hand
def answers_by_hand():
    return [1600, 14400]
