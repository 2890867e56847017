"""The logarithm of the number of runs.

points:
    runs_on_paper: 0
"""

# %% runs_by_hand
def runs_by_hand():
    return [7.601, 0.335, 1800]
