"""The visits that are taken away, without those that come.

points:
    changes_on_paper: 0
"""

# %% sensitivities_by_hand
def sensitivities_by_hand():
    return [12, 20, 5, 20]
