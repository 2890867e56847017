"""The scale is taken for the standard deviation.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [60.0, 42.6, 16, 6.0]
