"""A factor of ten is taken for a fault, whatever it is worth.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1], [0], [41]]
    if name == "two_chances":
        return [[1], [0], [43]]
    if name == "whispers":
        return [[1], [0], [42, 43, 44, 45]]
    if name == "one_way":
        return [[0], [1], [44]]
    if name == "bold_word":
        return [[1], [0], [45]]
    return None
