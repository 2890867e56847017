"""As if half of the 3,000 were in.

points:
    rates_on_paper: 0
"""

# %% rates_by_hand
def rates_by_hand():
    return [0.938, 0.514, 2.708]
