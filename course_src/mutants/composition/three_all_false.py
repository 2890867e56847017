"""Only three false answers speak against the truth.

points:
    three_on_paper: 0
"""

# %% three_by_hand
def three_by_hand():
    return [108, 0.519, round(1 / 4 / 4 / 13, 3)]
