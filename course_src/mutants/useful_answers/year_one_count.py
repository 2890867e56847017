"""The noise of a single count.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [2.4, 8.3, 13, 14.1]
