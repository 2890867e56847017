"""A lottery that keeps the promise is accused.

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
        "lottery": [[1, 0, 0], [0, 0, 0]],
    }.get(name)
