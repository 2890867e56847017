"""The mean of the losses stands twice.

points:
    kl_on_paper: 0
"""

# %% kl_by_hand
def kl_by_hand():
    return [0.183787, 0.183787]
