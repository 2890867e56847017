"""Of the row that is replaced only one patient counts: the one who goes, or the one who comes.

points:
    named_on_paper: 0
"""

# %% named_by_hand
def named_by_hand():
    return [0.692, 0.143, 2.6]
