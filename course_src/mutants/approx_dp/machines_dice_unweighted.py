"""The dice count in full, as if they were always thrown.

points:
    machines_on_paper: 0
"""

# %% machines_by_hand
def machines_by_hand():
    return [0.025, 0.43, 0.3299]
