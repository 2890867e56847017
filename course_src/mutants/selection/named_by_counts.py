"""In proportion to the names themselves.

points:
    named_on_paper: 0
"""

# %% named_by_hand
def named_by_hand():
    return [0.344, 0.327, 1.043]
