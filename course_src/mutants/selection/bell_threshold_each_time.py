"""The one noise of the threshold is paid for with each alarm.

points:
    bell_on_paper: 0
"""

# %% bell_by_hand
def bell_by_hand():
    return [1.042, 0.958, 1.042, 1.097]
