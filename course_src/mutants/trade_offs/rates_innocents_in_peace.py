"""One minus the false alarms for how sure he is.

points:
    rates_on_paper: 0
"""

# %% rates_by_hand
def rates_by_hand():
    return [0.998, 0.514, 2.708]
