"""The larger of the two noises.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [84.9, 42.6, 16, 13.5]
