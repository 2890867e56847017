"""The numbers by hand are rounded to two digits.

points:
    kl_on_paper: 0
"""

# %% kl_by_hand
def kl_by_hand():
    return [0.18, 0.56]
