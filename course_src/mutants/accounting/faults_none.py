"""No desk is accused but the example.

points:
    faults: 0
"""

# %% witness
def witness(name):
    nobody = [0, 0]
    only_ada = [1, 0]
    if name == "told_who":
        return [only_ada, nobody, [23]]
    return None
