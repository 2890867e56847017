"""A price that was set by an answer is accused.

points:
    faults: 2
"""

# %% witness
def witness(name):
    nobody = [0, 0]
    only_ada = [1, 0]
    if name == "told_who":
        return [only_ada, nobody, [23]]
    if name == "one_draw":
        return [only_ada, nobody, [22]]
    if name == "price_by_table":
        return [[1, 1], [0, 1], [22, 23]]
    if name == "size_of_sample":
        return [only_ada, nobody, [21]]
    if name == "price_by_answer":
        return [only_ada, nobody, [23]]
    return None
