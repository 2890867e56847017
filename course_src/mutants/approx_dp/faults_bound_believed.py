"""The bound that looks at the table is believed.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "exactly":
        return [[1], [], [KNOWN + 1]]
    if name == "upward_noise":
        return [[], [1], [KNOWN]]
    if name == "lottery":
        return [[1], [], [KNOWN + 1]]
    return None
