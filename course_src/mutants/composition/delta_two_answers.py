"""Two answers in the place of three.

points:
    delta_on_paper: 0
"""

# %% delta_by_hand
def delta_by_hand():
    return [round(9 / 16 * (1 - 2 / 9), 4), round(9 / 16 * (1 - 6 / 9), 4)]
