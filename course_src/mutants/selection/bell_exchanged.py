"""The 2 stands where rows are added or removed.

points:
    bell_on_paper: 0
"""

# %% bell_by_hand
def bell_by_hand():
    return [0.958, 0.542, 1.042, 1.097]
