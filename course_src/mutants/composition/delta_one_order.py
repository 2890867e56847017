"""Two true answers of three are counted in one order only.

points:
    delta_on_paper: 0
"""

# %% delta_by_hand
def delta_by_hand():
    return [round(27 / 64 * (1 - 2 / 27) + 9 / 64 * (1 - 2 / 3), 4), round(27 / 64 * (1 - 6 / 27), 4)]
