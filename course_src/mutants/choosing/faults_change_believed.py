"""What is said about no day is believed.

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
    return None
