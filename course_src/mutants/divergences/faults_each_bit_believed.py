"""What holds of each bit is believed of both.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1], [0], [FIRST + 1]]
    if name == "rare_word":
        return [[1], [0], [FIRST + 1]]
    if name == "printed":
        return [[1], [0], [FIRST + 1]]
    return None
