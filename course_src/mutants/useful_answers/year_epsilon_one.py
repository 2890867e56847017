"""Laplace noise for an epsilon of 1.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [84.9, 64.2, 35, 8.5]
