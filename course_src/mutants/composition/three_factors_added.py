"""The factors of the three answers are added up.

points:
    three_on_paper: 0
"""

# %% three_by_hand
def three_by_hand():
    return [18, 0.519, 0.077]
