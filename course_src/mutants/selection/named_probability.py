"""The probability after the change, in the place of the factor.

points:
    named_on_paper: 0
"""

# %% named_by_hand
def named_by_hand():
    return [0.692, 0.143, 0.429]
