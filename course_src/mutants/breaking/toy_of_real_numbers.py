"""No hole is seen: rounding is taken for harmless.

points:
    toy_on_paper: 0
"""

# %% toy_by_hand
def toy_by_hand():
    return [0, 17, 0.0]
