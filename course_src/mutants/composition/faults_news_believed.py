"""Who says little gives little away, is believed.

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
    if name == "one_toss":
        return [only_ada, nobody, [21, 22]]
    return None
