"""δ is the share of the holes.

points:
    toy_on_paper: 0
"""

# %% toy_by_hand
def toy_by_hand():
    return [11, 4, 0.688]
