"""No mechanism is accused.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "true_count":
        return [[1, 0, 0], [0, 0, 0], [1]]
    return None
