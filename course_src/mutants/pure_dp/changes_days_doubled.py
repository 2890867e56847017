"""The visits of two patients are doubled once more.

points:
    changes_on_paper: 0
"""

# %% sensitivities_by_hand
def sensitivities_by_hand():
    return [12, 20, 20, 20]
