"""What is known is not added to the events.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "exactly":
        return [[1], [], [KNOWN + 1]]
    if name == "upward_noise":
        return [[], [1], [0]]
    if name == "kept_inside":
        return [[], [1], [0]]
    if name == "lottery":
        return [[], [1], [0]]
    return None
