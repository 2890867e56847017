"""The numbers are those before the forms are counted.

points:
    faults: 0
"""

# %% witness
def witness(name):
    nobody, only_ada = [0, 0, 0], [1, 0, 0]
    if name == "ada_three_times":
        return [only_ada, nobody, [23]]
    if name == "until_yes":
        return [nobody, only_ada, [4]]
    if name == "only_news":
        return [only_ada, nobody, [1]]
    if name == "one_toss":
        return [only_ada, nobody, [1, 2]]
    return None
