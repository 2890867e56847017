"""The root for Laplace noise.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [18.3, 64.2, 13, 14.1]
