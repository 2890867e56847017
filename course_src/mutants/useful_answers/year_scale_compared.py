"""Compared with the scale.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [84.9, 42.6, 31, 8.5]
