"""Negative shares are added, too.

points:
    delta_on_paper: 0
"""

# %% delta_by_hand
def delta_by_hand():
    law = [(27 / 64, 27), (27 / 64, 3), (9 / 64, 1 / 3), (1 / 64, 1 / 27)]
    return [round(sum(p * (1 - bound / factor) for p, factor in law), 4) for bound in (2, 6)]
