"""A hole between the two ends, which are no neighbours.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "third_each":
        return [[LOW + 2], [LOW + 1], [LOW + 3]]
    found = {
        "stopping": [[LOW + 3], [LOW], [LOW + 3]],
        "begins_anew": [[LOW + 1], [LOW], [LOW + 1]],
        "even": [[LOW], [LOW + 1], [LOW]],
    }
    return found.get(name)
