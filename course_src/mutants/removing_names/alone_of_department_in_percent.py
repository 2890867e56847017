"""The others of the department alone, and in percent.

points:
    alone_on_paper: 0
"""

# %% alone_by_hand
def alone_by_hand():
    return [1.02, 35.84]
