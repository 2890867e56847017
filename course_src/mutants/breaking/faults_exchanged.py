"""The tables are exchanged.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "third_each":
        return [[LOW + 2], [LOW + 1], [LOW + 3]]
    found = {
        "stopping": [[LOW], [LOW + 1], [LOW + 3]],
        "begins_anew": [[LOW], [LOW + 1], [LOW + 1]],
        "even": [[LOW + 1], [LOW], [LOW]],
    }
    return found.get(name)
