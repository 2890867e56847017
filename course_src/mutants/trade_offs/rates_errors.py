"""How often it is wrong.

points:
    rates_on_paper: 0
"""

# %% rates_by_hand
def rates_by_hand():
    return [0.441, 0.486, 2.708]
