"""What holds of the printed words is believed of the desk.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1], [0], [FIRST + 1]]
    if name == "rare_word":
        return [[1], [0], [FIRST + 1]]
    if name == "two_words":
        return [[1], [0], [FIRST + 3]]
    return None
