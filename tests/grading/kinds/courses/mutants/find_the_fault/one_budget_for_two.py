"""Only the obvious ones: two questions to one patient are thought to be free.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "true_count":
        return [[1, 0, 0], [0, 0, 0], [1]]
    if name == "noise_for_some":
        return [[0, 0, 0], [0, 0, 1], [0]]
    if name == "small_noise":
        return [[1, 1, 1], [1, 1, 0], [4]]
