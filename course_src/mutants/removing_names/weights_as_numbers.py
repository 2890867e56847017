"""The numbers of the questions, not their weights.

points:
    weights_on_paper: 0
"""

# %% weights_by_hand
def weights_by_hand():
    return [1, 2, 3]
