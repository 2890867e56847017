"""The count of the east wing, from three questions without Ada.

points:
    weights_on_paper: 0
"""

# %% weights_by_hand
def weights_by_hand():
    return [0, 0, 0.5, 0, 0, 0.5, -0.5]
