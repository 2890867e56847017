"""The probability that one other person shares.

points:
    alone_on_paper: 0
"""

# %% alone_by_hand
def alone_by_hand():
    return [0.01, 0.0]
