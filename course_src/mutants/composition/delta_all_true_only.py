"""Only three true answers count.

points:
    delta_on_paper: 0
"""

# %% delta_by_hand
def delta_by_hand():
    return [round(27 / 64 * (1 - 2 / 27), 4), round(27 / 64 * (1 - 6 / 27), 4)]
