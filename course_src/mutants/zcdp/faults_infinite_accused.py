"""What has no rho is accused.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "truth":
        return [[1], [0], [FIRST + 1]]
    if name == "many_coins" and 1:
        return [[1], [0], [FIRST + yes for yes in range(8, 12)]]
    if name == "sampled":
        return [[1], [0], [FIRST + 2]]
    if name == "decoy" and 0:
        return [[1], [0], [FIRST + 1]]
    if name == "cut_noise" and 1:
        return [[1], [0], [FIRST + 1 + 5]]
    if name == "one_noise" and 1:
        return [[1], [0], [FIRST + 6 + i for i in range(6)]]
    if name == "majority" and 0:
        return [[1], [0], [FIRST + 1]]
    return None
