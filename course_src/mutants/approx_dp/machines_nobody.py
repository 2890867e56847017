"""That nobody is published.

points:
    machines_on_paper: 0
"""

# %% machines_by_hand
def machines_by_hand():
    return [0.025, 0.418, 0.6701]
