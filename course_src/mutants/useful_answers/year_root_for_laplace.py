"""The root for Laplace noise.

points:
    year_on_paper: 0
"""

# %% year_by_hand
def year_by_hand():
    return [11.0, 42.6, 16, 8.5]
