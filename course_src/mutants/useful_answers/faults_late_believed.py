"""Cutting late is believed to be enough.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "longest":
        return [[1], [], [2]]
    if name == "rounded":
        return [[0], [0, 0], [1]]
    if name == "if_anybody":
        return [[], [3], [9]]
    return None
