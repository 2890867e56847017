"""Keeping answers in a range is taken for a fault: what comes after the noise costs nothing.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "true_count":
        return [[1, 0, 0], [0, 0, 0], [1]]
    if name in ("asked_twice", "noise_for_some"):
        return [[0, 0, 0], [1, 0, 0], [0]]
    if name == "small_noise":
        return [[0, 0, 0], [1, 0, 0], [-1]]
    if name == "noise_then_range":
        return [[1, 1, 1], [0, 1, 1], [3]]
