"""Two numbers of one patient are accused, whatever the width.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "longest":
        return [[1], [], [1]]
    if name == "rounded":
        return [[0], [0, 0], [0]]
    if name == "cut_late":
        return [[], [3], [0]]
    if name == "if_anybody":
        return [[], [3], [8]]
    if name == "overnight_and_all":
        return [[1], [], [4, 5, 7, 8]]
    return None
