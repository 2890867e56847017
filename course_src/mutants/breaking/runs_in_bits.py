"""In bits.

points:
    runs_on_paper: 0
"""

# %% runs_by_hand
def runs_by_hand():
    return [9.082, 0.335, 1800]
