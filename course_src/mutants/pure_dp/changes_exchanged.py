"""Left out and replaced are exchanged.

points:
    changes_on_paper: 0
"""

# %% sensitivities_by_hand
def sensitivities_by_hand():
    return [20, 12, 10, 20]
