"""All are accused, since no certificate proves the promise.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1], [0], [FIRST + 1]]
    if name == "rare_word":
        return [[1], [0], [FIRST + 1]]
    if name == "printed":
        return [[1], [0], [FIRST + 1]]
    if name == "two_words":
        return [[1], [0], [FIRST + 3]]
    if name == "one_way":
        return [[0], [1], [FIRST + 2]]
    if name == "proof":
        return [[1], [0], [FIRST + 4]]
    if name == "second_coin":
        return [[1], [0], [FIRST + 1]]
    return None
