"""Noise upwards only.

points:
    toy_on_paper: 0
"""

# %% toy_by_hand
def toy_by_hand():
    return [5, 4, 0.719]
