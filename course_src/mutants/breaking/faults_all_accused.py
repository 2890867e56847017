"""Everybody is accused, by one witness.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "third_each":
        return [[LOW + 2], [LOW + 1], [LOW + 3]]
    return [[LOW + 1], [LOW], [LOW + 1]]
