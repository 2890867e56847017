"""All are believed.

points:
    desks_judged: 0
"""

# %% witness
def witness(name):
    found = {
        "longest": [[0, 1], [0, 0], [21]],
    }
    return found.get(name)
