"""Standard deviations are added up.

points:
    errors_on_paper: 0
"""

# %% errors_by_hand
def errors_by_hand():
    return [12.9, 22.1, 35.0]
