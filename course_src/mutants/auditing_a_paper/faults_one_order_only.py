"""The tables are tried in one order only.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "clear_text":
        return [[1, 0], [0, 0], [FIRST + 1]]
    return {
        "one_draw": [[0, 0], [0, 1], [FIRST, FIRST + 3]],
        "masked_bit": [[0, 0], [1, 0], [FIRST + 2, FIRST + 5]],
    }.get(name)
