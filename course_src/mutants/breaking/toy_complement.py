"""The draws that are no proof are counted.

points:
    toy_on_paper: 0
"""

# %% toy_by_hand
def toy_by_hand():
    return [5, 4, 0.281]
