"""The numbers by hand are logarithms to base 10.

points:
    kl_on_paper: 0
"""

# %% kl_by_hand
def kl_by_hand():
    return [0.079818, 0.243038]
