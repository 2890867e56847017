"""Only the truth that is told outright.

points:
    machines_on_paper: 0
"""

# %% machines_by_hand
def machines_by_hand():
    return [0.025, 0.03, 0.3299]
