"""The delta of one record.

points:
    machines_on_paper: 0
"""

# %% machines_by_hand
def machines_by_hand():
    return [0.0042, 0.418, 0.3299]
