"""The same number at a smaller order is believed to be as good.

points:
    desks_judged: 2
"""

# %% witness
def witness(name):
    return {
        "bold": [[1, 0, 0], [0, 0, 0]],
        "twice": [[0, 1, 0], [0, 0, 0]],
        "rare": [[0, 0, 0], [0, 0, 1]],
    }.get(name)
