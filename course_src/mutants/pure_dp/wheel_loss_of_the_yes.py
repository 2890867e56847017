"""The loss of the yes, where a no gives more away.

points:
    wheel_on_paper: 0
"""

# %% wheel_by_hand
def wheel_by_hand():
    return [2.286, 0.287, 0.827]
