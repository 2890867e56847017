"""Epsilon is rounded before the other numbers are computed from it.

points:
    belief_on_paper: 0
"""

# %% belief_by_hand
def belief_by_hand():
    epsilon = round(math.log(4), 2)
    scale = 11 / epsilon
    return [epsilon, round(scale, 2), round(scale * math.log(20), 2), math.floor(40 * epsilon / math.log(20))]
