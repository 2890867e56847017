"""New noise for the threshold costs nothing.

points:
    bell_on_paper: 0
"""

# %% bell_by_hand
def bell_by_hand():
    return [0.542, 0.958, 0.542, 1.097]
