"""The rare answer is looked at in one order of the laws, the one that says less.

points:
    desks_judged: 2
"""

# %% witness
def witness(name):
    return {
        "bold": [[1, 0, 0], [0, 0, 0]],
        "twice": [[0, 1, 0], [0, 0, 0]],
        "rare": [[0, 0, 1], [0, 0, 0]],
        "other": [[1, 0, 0], [0, 0, 0]],
    }.get(name)
