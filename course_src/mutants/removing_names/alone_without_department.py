"""The combinations are those of birthdays only.

points:
    alone_on_paper: 0
"""

# %% alone_by_hand
def alone_by_hand():
    return [4.11, 0.02]
