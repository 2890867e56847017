"""The belief after the three answers in the place of their probability.

points:
    three_on_paper: 0
"""

# %% three_by_hand
def three_by_hand():
    return [108, 0.991, 0.077]
