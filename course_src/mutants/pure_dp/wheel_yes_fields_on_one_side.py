"""Who has skipped pills never meets the fields that say yes.

points:
    wheel_on_paper: 0
"""

# %% wheel_by_hand
def wheel_by_hand():
    return [1.286, 0.185, 0.811]
