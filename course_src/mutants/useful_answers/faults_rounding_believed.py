"""Rounding is believed to be free.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "longest":
        return [[1], [], [2]]
    if name == "cut_late":
        return [[], [3], [1]]
    if name == "if_anybody":
        return [[], [3], [9]]
    return None
