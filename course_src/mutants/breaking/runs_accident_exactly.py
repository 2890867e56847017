"""The exact number in the place of the rule of three.

points:
    runs_on_paper: 0
"""

# %% runs_by_hand
def runs_by_hand():
    return [6.295, 0.335, 1796]
