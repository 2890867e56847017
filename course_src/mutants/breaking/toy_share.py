"""The first number is a probability.

points:
    toy_on_paper: 0
"""

# %% toy_by_hand
def toy_by_hand():
    return [0.688, 4, 0.719]
