"""All are believed.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1], [0], [41]]
    return None
