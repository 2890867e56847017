"""1.41 for the root of 2, and 7.7 for that of 60.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [141.0, 63.8, 13, 14.1]
