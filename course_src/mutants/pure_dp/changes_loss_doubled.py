"""A replaced row is taken for twice the largest loss.

points:
    changes_on_paper: 0
"""

# %% sensitivities_by_hand
def sensitivities_by_hand():
    return [12, 16, 10, 20]
