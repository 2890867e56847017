"""Tables that differ in all three patients.

points:
    faults: 1
"""

# %% witness
def witness(name):
    if name == "true_count":
        return [[1, 0, 0], [0, 0, 0], [1]]
    return {
        "asked_twice": [[0, 0, 0], [1, 1, 1], [0]],
        "noise_for_some": [[0, 0, 0], [1, 1, 1], [0]],
        "small_noise": [[0, 0, 0], [1, 0, 0], [-1]],
    }.get(name)
