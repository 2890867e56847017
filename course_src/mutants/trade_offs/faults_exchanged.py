"""The tables of each witness stand in the wrong order.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1], [0], [41]]
    if name == "two_chances":
        return [[0], [1], [43]]
    if name == "whispers":
        return [[0], [1], [42, 43, 44, 45]]
    if name == "one_way":
        return [[1], [0], [44]]
    return None
