"""What the best test finds in place of what it misses.

points:
    errors_on_paper: 0
"""

# %% errors_by_hand
def errors_by_hand():
    return [0.3, 0.78, 0.58]
