"""The same witness for all: it proves two wrong, and accuses the two that are right.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "true_count":
        return [[1, 0, 0], [0, 0, 0], [1]]
    return [[0, 0, 0], [1, 0, 0], [0]]
