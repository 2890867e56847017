"""How often the loss is above log 2.

points:
    machines_on_paper: 0
"""

# %% machines_by_hand
def machines_by_hand():
    return [0.025, 0.806, 0.3299]
