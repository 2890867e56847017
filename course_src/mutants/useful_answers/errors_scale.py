"""The scale is taken for the standard deviation.

points:
    errors_on_paper: 0
"""

# %% errors_by_hand
def errors_by_hand():
    return [12.9, 15.6, 20.3]
