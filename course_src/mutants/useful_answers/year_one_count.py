"""The noise of a single count.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [1.4, 5.5, 16, 8.5]
