"""The logarithm has base 2.

points:
    wheel_on_paper: 0
"""

# %% wheel_by_hand
def wheel_by_hand():
    return [2.286, 0.287, 1.7]
