"""The two counts of different patients are accused as well.

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
    if name == "yeses_and_noes":
        return [[1], [], [3, 4, 5, 6, 7, 8]]
    return None
