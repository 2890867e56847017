"""All witnesses in the other order.

points:
    faults: 0
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1], [0], [FIRST + 1]]
    if name == "rare_word":
        return [[0], [1], [FIRST + 1]]
    if name == "printed":
        return [[0], [1], [FIRST + 1]]
    if name == "two_words":
        return [[0], [1], [FIRST + 3]]
    return None
