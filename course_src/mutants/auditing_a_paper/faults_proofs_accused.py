"""Every answer that is proof is taken for a fault.

points:
    faults: 1
"""

# %% witness
def witness(name):
    if name == "clear_text":
        return [[1, 0], [0, 0], [FIRST + 1]]
    return {
        "random_record": [[1, 0], [0, 0], [FIRST + 1]],
        "three_steps": [[1, 0], [0, 0], [FIRST + 2]],
        "one_draw": [[0, 0], [0, 1], [FIRST, FIRST + 3]],
        "one_order": [[0, 0], [1, 0], [FIRST + 5]],
        "masked_bit": [[0, 0], [1, 0], [FIRST + 2, FIRST + 5]],
    }.get(name)
