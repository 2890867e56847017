"""The probability that somebody shares, for that that nobody does.

points:
    alone_on_paper: 0
"""

# %% alone_by_hand
def alone_by_hand():
    return [1.03, 0.64]
