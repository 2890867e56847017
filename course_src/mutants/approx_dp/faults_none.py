"""Accuses nobody.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "exactly":
        return [[1], [], [KNOWN + 1]]
    return None
