"""A delta above 1: ratios were added up.

points:
    toy_on_paper: 0
"""

# %% toy_by_hand
def toy_by_hand():
    return [11, 4, 2.25]
