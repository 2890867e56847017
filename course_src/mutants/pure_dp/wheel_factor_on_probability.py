"""The factor multiplies the probability.

points:
    wheel_on_paper: 0
"""

# %% wheel_by_hand
def wheel_by_hand():
    return [2.286, 0.343, 1.179]
