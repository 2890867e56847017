"""The delta is per cent.

points:
    toy_on_paper: 0
"""

# %% toy_by_hand
def toy_by_hand():
    return [11, 4, 71.9]
