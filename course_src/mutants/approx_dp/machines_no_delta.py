"""Epsilon is 0, so delta is thought to be 0 as well.

points:
    machines_on_paper: 0
"""

# %% machines_by_hand
def machines_by_hand():
    return [0.0, 0.418, 0.3299]
