"""The event begins half way.

points:
    runs_on_paper: 0
"""

# %% runs_by_hand
def runs_by_hand():
    return [6.295, 0.409, 1800]
