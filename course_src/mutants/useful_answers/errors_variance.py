"""The variance of the sampling.

points:
    errors_on_paper: 0
"""

# %% errors_by_hand
def errors_by_hand():
    return [166.5, 22.1, 168.0]
