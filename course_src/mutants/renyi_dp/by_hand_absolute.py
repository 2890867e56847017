"""The numbers by hand are those of the absolute losses.

points:
    kl_on_paper: 0
"""

# %% kl_by_hand
def kl_by_hand():
    return [0.599675, 0.693147]
