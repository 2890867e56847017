"""Each member of the household comes once.

points:
    changes_on_paper: 0
"""

# %% sensitivities_by_hand
def sensitivities_by_hand():
    return [12, 20, 10, 4]
