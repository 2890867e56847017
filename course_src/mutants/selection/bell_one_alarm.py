"""Five alarms for the price of one.

points:
    bell_on_paper: 0
"""

# %% bell_by_hand
def bell_by_hand():
    return [0.208, 0.958, 1.042, 0.764]
