"""The way from the largest loss to the largest gain is doubled.

points:
    changes_on_paper: 0
"""

# %% sensitivities_by_hand
def sensitivities_by_hand():
    return [12, 40, 10, 20]
