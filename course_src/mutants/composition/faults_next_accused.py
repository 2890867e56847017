"""Two coins on one path and one on the other are taken for three.

points:
    faults: 2
"""

# %% witness
def witness(name):
    nobody, only_ada = [0, 0, 0], [1, 0, 0]
    if name == "ada_three_times":
        return [only_ada, nobody, [23]]
    if name == "until_yes":
        return [nobody, only_ada, [24]]
    if name == "only_news":
        return [only_ada, nobody, [21]]
    if name == "one_toss":
        return [only_ada, nobody, [21, 22]]
    if name == "next_by_first":
        return [only_ada, nobody, [23]]
    return None
