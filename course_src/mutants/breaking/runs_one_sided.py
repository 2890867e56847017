"""Each limit at 5 %.

points:
    runs_on_paper: 0
"""

# %% runs_by_hand
def runs_by_hand():
    return [6.503, 0.335, 1800]
