"""No mechanism is accused.

points:
    six_judged: 0
"""

# %% witness
def witness(name):
    if name == "number":
        return [[0], [], [1]]
    return None
