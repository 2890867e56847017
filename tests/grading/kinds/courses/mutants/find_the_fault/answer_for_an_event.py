"""An answer stands where an event, a list of answers, was asked for.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "true_count":
        return [[1, 0, 0], [0, 0, 0], [1]]
    if name in ("asked_twice", "noise_for_some", "small_noise"):
        return [[0, 0, 0], [1, 0, 0], 0]
