"""An event without any answer.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "true_count":
        return [[1, 0, 0], [0, 0, 0], [1]]
    if name == "one_of_three":
        return [[1, 0, 0], [0, 0, 0], [1]]
    if name == "one_up_or_down":
        return [[0, 0, 0], [1, 0, 0], [0]]
    if name == "asked_again":
        return [[0, 0, 0], [1, 0, 0], []]
    return None
