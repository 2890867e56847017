"""The numbers by hand are in bits.

points:
    kl_on_paper: 0
"""

# %% kl_by_hand
def kl_by_hand():
    return [0.265149, 0.807355]
