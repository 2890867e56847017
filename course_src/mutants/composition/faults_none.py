"""All desks are believed.

points:
    faults: 0
"""

# %% witness
def witness(name):
    nobody, only_ada = [0, 0, 0], [1, 0, 0]
    if name == "ada_three_times":
        return [only_ada, nobody, [23]]
    return None
