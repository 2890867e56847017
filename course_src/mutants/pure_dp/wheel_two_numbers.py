"""Two numbers, where three are asked for.

points:
    wheel_on_paper: 0
"""

# %% wheel_by_hand
def wheel_by_hand():
    return [2.286, 1.179]
