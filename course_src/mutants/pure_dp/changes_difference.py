"""The difference of loss and gain, and the smaller of them.

points:
    changes_on_paper: 0
"""

# %% sensitivities_by_hand
def sensitivities_by_hand():
    return [8, 4, 10, 20]
