"""More questions than three, and no known sum.

points:
    weights_on_paper: 0
"""

# %% weights_by_hand
def weights_by_hand():
    return [0.5, 0.5, -0.5, 0, 0, 1, -1]
