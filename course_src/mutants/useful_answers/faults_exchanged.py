"""Table and neighbour are exchanged.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "longest":
        return [[1], [], [2]]
    if name == "rounded":
        return [[0, 0], [0], [1]]
    if name == "cut_late":
        return [[3], [], [1]]
    if name == "if_anybody":
        return [[3], [], [9]]
    return None
