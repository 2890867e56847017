"""No desk is accused.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "truth":
        return [[1], [0], [FIRST + 1]]
    return None
