"""The loss is a factor: the logarithm is missing.

points:
    wheel_on_paper: 0
"""

# %% wheel_by_hand
def wheel_by_hand():
    return [2.286, 0.287, 3.25]
