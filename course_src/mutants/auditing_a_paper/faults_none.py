"""Nobody is accused.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "clear_text":
        return [[1, 0], [0, 0], [FIRST + 1]]
    return None
