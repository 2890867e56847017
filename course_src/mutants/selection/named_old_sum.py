"""The weight with Ada over the sum of the weights without her.

points:
    named_on_paper: 0
"""

# %% named_by_hand
def named_by_hand():
    return [0.692, 0.231, 5.571]
