"""A row that is left out is taken twice.

points:
    changes_on_paper: 0
"""

# %% sensitivities_by_hand
def sensitivities_by_hand():
    return [24, 20, 10, 20]
