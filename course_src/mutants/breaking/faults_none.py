"""Nobody is accused.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "third_each":
        return [[LOW + 2], [LOW + 1], [LOW + 3]]
    found = {
    }
    return found.get(name)
