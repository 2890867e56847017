"""Only the weaker of the two inequalities.

points:
    rates_on_paper: 0
"""

# %% rates_by_hand
def rates_by_hand():
    return [0.441, 0.514, 0.028]
