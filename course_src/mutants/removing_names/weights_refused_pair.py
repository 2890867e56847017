"""The pair that the desk refuses.

points:
    weights_on_paper: 0
"""

# %% weights_by_hand
def weights_by_hand():
    return [0, 0, 0, -1, 1, 0, 0]
