"""No desk is accused.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "longest":
        return [[1], [], [2]]
    return None
