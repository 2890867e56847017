"""The two tables are exchanged.

points:
    faults: 0
"""

# %% witness
def witness(name):
    nobody = [0, 0]
    only_ada = [1, 0]
    if name == "told_who":
        return [only_ada, nobody, [23]]
    if name == "one_draw":
        return [nobody, only_ada, [22]]
    if name == "price_by_table":
        return [[0, 1], [1, 1], [22, 23]]
    if name == "size_of_sample":
        return [nobody, only_ada, [21]]
    return None
