"""Who looks at one day is accused of three.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "first_day":
        return [[1, 0, 0], [0, 0, 0], [FIRST + 1]]
    if name == "coin_a_day":
        return [[1, 1, 1], [0, 0, 0], [FIRST + 7]]
    if name == "noisy_number":
        return [[1, 1, 1], [0, 0, 0], [FIRST + 3]]
    if name == "changes":
        return [[1, 0, 1], [0, 0, 0], [FIRST + 2]]
    if name == "some_day":
        return [[1, 1, 1], [0, 0, 0], [FIRST + 1]]
    return None
