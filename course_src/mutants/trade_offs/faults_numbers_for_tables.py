"""Bits in place of tables.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1], [0], [41]]
    if name == "whispers":
        return [1, 0, [42, 43, 44, 45]]
    if name == "two_chances":
        return [[1], [0], [43]]
    if name == "one_way":
        return [[0], [1], [44]]
    return None
