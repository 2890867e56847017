"""The witnesses are tables in which a row is replaced.

points:
    six_judged: 0
"""

# %% witness
def witness(name):
    if name == "number":
        return [[0], [], [1]]
    if name == "number_and_yeses":
        return [[1], [0], [4, 5, 7, 8]]
    if name == "coin_for_each":
        return [[1], [0], [1]]
    if name == "hardly_ever":
        return [[1], [0], [1]]
    return None
