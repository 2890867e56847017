"""The patient who is drawn at random is accused as well.

points:
    six_judged: 2
"""

# %% witness
def witness(name):
    if name == "number":
        return [[0], [], [1]]
    if name == "number_and_yeses":
        return [[1], [], [4, 5, 7, 8]]
    if name == "coin_for_each":
        return [[1], [], [1]]
    if name == "hardly_ever":
        return [[1], [], [1]]
    if name == "one_of_them":
        return [[1], [], [1]]
    return None
