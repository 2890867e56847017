"""Every desk that tosses more than two coins is accused.

points:
    faults: 0
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
    if name == "by_majority":
        return [only_ada, nobody, [21]]
    if name == "everybody_twice":
        return [only_ada, nobody, [26]]
    return None
