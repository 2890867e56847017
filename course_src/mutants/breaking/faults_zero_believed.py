"""That minus zero is kept is not seen.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "third_each":
        return [[LOW + 2], [LOW + 1], [LOW + 3]]
    found = {
        "stopping": [[LOW + 1], [LOW], [LOW + 3]],
        "even": [[LOW], [LOW + 1], [LOW]],
    }
    return found.get(name)
