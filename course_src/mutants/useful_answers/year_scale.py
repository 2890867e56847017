"""The scale is taken for the standard deviation.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [100.0, 64.2, 13, 10.0]
