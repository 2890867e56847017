"""A threshold on the noisy count is accused.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "exactly":
        return [[1], [], [KNOWN + 1]]
    if name == "upward_noise":
        return [[], [1], [KNOWN]]
    if name == "kept_inside":
        return [[1], [], [KNOWN + 1]]
    if name == "lottery":
        return [[1], [], [KNOWN + 1]]
    if name == "few_unsaid":
        return [[1], [1, 1], [0]]
    return None
