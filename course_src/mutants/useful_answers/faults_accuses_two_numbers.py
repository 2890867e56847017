"""Two numbers of one patient are accused, whatever the width.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "longest":
        return [[1], [], [2]]
    if name == "rounded":
        return [[0], [0, 0], [1]]
    if name == "cut_late":
        return [[], [3], [1]]
    if name == "if_anybody":
        return [[], [3], [9]]
    if name == "overnight_and_all":
        return [[1], [], [5, 6, 8, 9]]
    return None
