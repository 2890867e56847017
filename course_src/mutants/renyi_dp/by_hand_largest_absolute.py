"""The second number is the largest absolute loss; the first is right.

points:
    kl_on_paper: 0
"""

# %% kl_by_hand
def kl_by_hand():
    return [0.183787, 0.693147]
