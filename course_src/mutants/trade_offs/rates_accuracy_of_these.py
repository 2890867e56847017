"""The accuracy on these 3,000.

points:
    rates_on_paper: 0
"""

# %% rates_by_hand
def rates_by_hand():
    return [0.441, 0.95, 2.708]
