"""Rounded down.

points:
    runs_on_paper: 0
"""

# %% runs_by_hand
def runs_by_hand():
    return [6.295, 46, 0.335, 1800]
