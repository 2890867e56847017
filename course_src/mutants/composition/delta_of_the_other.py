"""The probabilities of the other secret.

points:
    delta_on_paper: 0
"""

# %% delta_by_hand
def delta_by_hand():
    return [round(1 / 64 * (1 - 2 / 27) + 9 / 64 * (1 - 2 / 3), 4), round(1 / 64 * (1 - 6 / 27), 4)]
