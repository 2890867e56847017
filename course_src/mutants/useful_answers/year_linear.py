"""Normal noise grows with the number.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [84.9, 330.0, 16, 8.5]
