"""Only tables that differ on one day are compared.

points:
    faults: 1
"""

# %% witness
def witness(name):
    if name == "first_day":
        return [[1, 0, 0], [0, 0, 0], [FIRST + 1]]
    if name == "changes":
        return [[1, 0, 0], [0, 0, 0], [FIRST + 1]]
    return None
