"""The factor of a row that is added, where one is replaced.

points:
    named_on_paper: 0
"""

# %% named_by_hand
def named_by_hand():
    return [0.692, 0.143, 3]
