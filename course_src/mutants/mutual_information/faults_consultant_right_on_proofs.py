"""The desk with a proof in a form of its own is believed.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1, 0], [0, 0], [FIRST + 1]]
    if name == "plain_coin" and 0:
        return [[1, 0], [0, 0], [FIRST + 1]]
    if name == "open_window" and 1:
        return [[0, 1], [0, 0], [FIRST + 2]]
    if name == "shy_smokers" and 0:
        return [[0, 1], [0, 0], [FIRST + 6]]
    if name == "four_whispers" and 1:
        return [[1, 0], [0, 0], [FIRST + i for i in (3, 4, 5, 6)]]
    if name == "shy_others" and 0:
        return [[0, 0], [1, 0], [FIRST + 2]]
    if name == "same_or_not" and 0:
        return [[1, 0], [0, 0], [FIRST + 1]]
    return None
