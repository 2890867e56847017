"""Only the tables of Ada are compared.

points:
    desks_judged: 1
"""

# %% witness
def witness(name):
    return {
        "bold": [[1, 0, 0], [0, 0, 0]],
        "twice": [[1, 0, 0], [0, 0, 0]],
        "rare": [[0, 0, 0], [1, 0, 0]],
        "other": [[1, 0, 0], [0, 0, 0]],
    }.get(name)
