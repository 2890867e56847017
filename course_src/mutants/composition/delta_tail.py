"""The probability of a loss above ε.

points:
    delta_on_paper: 0
"""

# %% delta_by_hand
def delta_by_hand():
    return [round(54 / 64, 4), round(27 / 64, 4)]
