"""All reasons are believed.

points:
    desks_judged: 0
"""

# %% witness
def witness(name):
    return {
        "bold": [[1, 0, 0], [0, 0, 0]],
    }.get(name)
