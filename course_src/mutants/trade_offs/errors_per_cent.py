"""In per cent.

points:
    errors_on_paper: 0
"""

# %% errors_by_hand
def errors_by_hand():
    return [30, 78, 42]
