"""The factor multiplies the probability before.

points:
    rates_on_paper: 0
"""

# %% rates_by_hand
def rates_by_hand():
    return [0.75, 0.514, 2.708]
