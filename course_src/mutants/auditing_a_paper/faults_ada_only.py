"""Only Ada is thought of, and of Ben's bit nothing is known.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "clear_text":
        return [[1, 0], [0, 0], [FIRST + 1]]
    return {
        "one_draw": [[1, 0], [0, 0], [FIRST + 2, FIRST + 3]],
        "one_order": [[0, 0], [1, 0], [FIRST + 5]],
        "masked_bit": [[0, 0], [1, 0], [FIRST + 2, FIRST + 5]],
    }.get(name)
