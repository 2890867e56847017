"""The dice at a factor of 1.

points:
    machines_on_paper: 0
"""

# %% machines_by_hand
def machines_by_hand():
    return [0.025, 0.612, 0.3299]
