"""1.96 standard deviations in the place of two.

points:
    answers_on_paper: 0
"""

# %% answers_by_hand
def answers_by_hand():
    return [769, 6915]
