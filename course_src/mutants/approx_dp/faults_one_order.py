"""The one-sided noise is tried in one order only.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "exactly":
        return [[1], [], [KNOWN + 1]]
    if name == "kept_inside":
        return [[1], [], [KNOWN + 1]]
    if name == "lottery":
        return [[1], [], [KNOWN + 1]]
    return None
