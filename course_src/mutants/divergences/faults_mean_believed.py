"""The certificate about the mean is believed.

points:
    faults: 2
"""

# %% witness
def witness(name):
    if name == "bare_coin":
        return [[1], [0], [FIRST + 1]]
    if name == "printed":
        return [[1], [0], [FIRST + 1]]
    if name == "two_words":
        return [[1], [0], [FIRST + 3]]
    return None
