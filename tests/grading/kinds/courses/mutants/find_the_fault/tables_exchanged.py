"""The event is likelier on the second table: the inequality is tried the wrong way round.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "true_count":
        return [[1, 0, 0], [0, 0, 0], [1]]
    return {
        "asked_twice": [[1, 0, 0], [0, 0, 0], [0]],
        "noise_for_some": [[1, 0, 0], [0, 0, 0], [0]],
        "small_noise": [[1, 0, 0], [0, 0, 0], [-1]],
    }.get(name)
