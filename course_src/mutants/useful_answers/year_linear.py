"""Normal noise grows with the number.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [141.4, 497.4, 13, 14.1]
