"""Of each answer by itself: the whispers are each below 0.05.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1], [0], [41]]
    if name == "two_chances":
        return [[1], [0], [43]]
    if name == "one_way":
        return [[0], [1], [44]]
    return None
