"""With replaced rows the threshold's part is doubled as well.

points:
    bell_on_paper: 0
"""

# %% bell_by_hand
def bell_by_hand():
    return [0.542, 1.083, 1.042, 1.097]
