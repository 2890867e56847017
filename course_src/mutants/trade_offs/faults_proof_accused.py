"""A proof is taken for a fault, and so is a coin above 3 to 1.

points:
    faults: 1
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
    if name == "proof_or_coin":
        return [[1], [0], [41, 43]]
    if name == "honest_coin":
        return [[1], [0], [41]]
    return None
