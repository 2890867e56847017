"""Only the 374 others of the department may share, and the combinations are still 1,460.

points:
    alone_on_paper: 0
"""

# %% alone_by_hand
def alone_by_hand():
    return [0.26, 0.77]
