"""The rule of a wholly broken desk.

points:
    runs_planned: 0
"""

# %% runs_needed
def runs_needed(p, q, claim):
    return math.ceil(3.69 * math.exp(claim))
