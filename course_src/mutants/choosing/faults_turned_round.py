"""The event belongs to the other table.

points:
    faults: 1
"""

# %% witness
def witness(name):
    if name == "first_day":
        return [[1, 0, 0], [0, 0, 0], [FIRST + 1]]
    if name == "coin_a_day":
        return [[0, 0, 0], [1, 1, 1], [FIRST + 7]]
    if name == "noisy_number":
        return [[0, 0, 0], [1, 1, 1], [FIRST + 3]]
    if name == "changes":
        return [[1, 0, 1], [0, 0, 0], [FIRST + 2]]
    return None
