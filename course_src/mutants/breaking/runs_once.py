"""As many runs as it takes to see it once on average.

points:
    runs_on_paper: 0
"""

# %% runs_by_hand
def runs_by_hand():
    return [6.295, 0.335, 600]
