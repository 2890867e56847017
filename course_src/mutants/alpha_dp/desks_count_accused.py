"""The count is accused: one of its coins would break the promise.

points:
    desks_judged: 2
"""

# %% witness
def witness(name):
    return {
        "bold": [[1, 0, 0], [0, 0, 0]],
        "twice": [[0, 1, 0], [0, 0, 0]],
        "rare": [[0, 0, 0], [0, 0, 1]],
        "other": [[1, 0, 0], [0, 0, 0]],
        "count": [[1, 0, 0], [0, 0, 0]],
    }.get(name)
