"""The factor in place of its logarithm.

points:
    rates_on_paper: 0
"""

# %% rates_by_hand
def rates_by_hand():
    return [0.441, 0.514, 15.0]
