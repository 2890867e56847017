"""The factor 1 - s is forgotten.

points:
    errors_on_paper: 0
"""

# %% errors_by_hand
def errors_by_hand():
    return [13.4, 22.1, 25.9]
