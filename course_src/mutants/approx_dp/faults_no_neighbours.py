"""The tables of a witness are no neighbours.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "exactly":
        return [[1], [], [KNOWN + 1]]
    if name == "upward_noise":
        return [[], [1], [KNOWN]]
    if name == "kept_inside":
        return [[1, 1], [], [KNOWN + 2]]
    if name == "lottery":
        return [[1], [], [KNOWN + 1]]
    return None
