"""False alarms are counted with Ada in the data, misses without her.

points:
    errors_on_paper: 0
"""

# %% errors_by_hand
def errors_by_hand():
    return [0.22, 0.7, 0.42]
