"""All reasons are believed.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "first_day":
        return [[1, 0, 0], [0, 0, 0], [FIRST + 1]]
    return None
