"""No desk is wrong.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1, 0], [0, 0], [FIRST + 1]]
    return None
