"""The numbers of the forms are forgotten.

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
        return [only_ada, nobody, [2]]
    if name == "price_by_table":
        return [[1, 1], [0, 1], [2, 3]]
    if name == "size_of_sample":
        return [only_ada, nobody, [1]]
    return None
