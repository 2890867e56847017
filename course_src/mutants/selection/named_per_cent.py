"""Probabilities in percent.

points:
    named_on_paper: 0
"""

# %% named_by_hand
def named_by_hand():
    return [69.231, 14.286, 5.571]
