"""All are accused.

points:
    faults: 0
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
    if name == "short_noise":
        return [[1], [], [KNOWN + 5]]
    if name == "pills":
        return [[1], [], [KNOWN + 6]]
    return None
