"""The advantage in place of the accuracy.

points:
    rates_on_paper: 0
"""

# %% rates_by_hand
def rates_by_hand():
    return [0.441, 0.028, 2.708]
