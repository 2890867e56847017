"""Who tells the truth now and then is taken for wrong.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "third_each":
        return [[LOW + 2], [LOW + 1], [LOW + 3]]
    found = {
        "stopping": [[LOW + 1], [LOW], [LOW + 3]],
        "begins_anew": [[LOW + 1], [LOW], [LOW + 1]],
        "even": [[LOW], [LOW + 1], [LOW]],
        "lucky": [[LOW + 2], [LOW + 1], [LOW + 2]],
    }
    return found.get(name)
