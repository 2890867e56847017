"""δ in draws, not as a probability.

points:
    toy_on_paper: 0
"""

# %% toy_by_hand
def toy_by_hand():
    return [11, 4, 11.5]
