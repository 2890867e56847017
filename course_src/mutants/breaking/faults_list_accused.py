"""A list of finitely many noises is taken for wrong.

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
        "drawn_list": [[LOW + 3], [LOW + 2], [LOW + 3]],
    }
    return found.get(name)
