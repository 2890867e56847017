"""The fewest runs are not rounded up.

points:
    runs_on_paper: 0
"""

# %% runs_by_hand
def runs_by_hand():
    return [6.295, 46.76, 0.335, 1800]
