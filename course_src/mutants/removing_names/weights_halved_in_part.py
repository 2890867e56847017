"""Only two of the three weights are halved.

points:
    weights_on_paper: 0
"""

# %% weights_by_hand
def weights_by_hand():
    return [0.5, 0.5, -1, 0, 0, 0, 0]
