"""Odds in place of a probability.

points:
    rates_on_paper: 0
"""

# %% rates_by_hand
def rates_by_hand():
    return [0.789, 0.514, 2.708]
