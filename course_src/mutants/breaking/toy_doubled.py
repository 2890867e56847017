"""The draws upwards are doubled.

points:
    toy_on_paper: 0
"""

# %% toy_by_hand
def toy_by_hand():
    return [12, 4, 0.719]
