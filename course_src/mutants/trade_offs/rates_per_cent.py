"""The accuracy in per cent.

points:
    rates_on_paper: 0
"""

# %% rates_by_hand
def rates_by_hand():
    return [0.441, 51.4, 2.708]
