"""The second number by hand is the largest ratio, not its logarithm.

points:
    kl_on_paper: 0
"""

# %% kl_by_hand
def kl_by_hand():
    return (0.183787, 1.75)
