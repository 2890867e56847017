"""How probable a yes is, and no comparison with the other patients.

points:
    wheel_on_paper: 0
"""

# %% wheel_by_hand
def wheel_by_hand():
    return [4.0, 0.8, 1.386]
