"""Table and neighbour are exchanged: these answers are impossible on the first.

points:
    six_judged: 1
"""

# %% witness
def witness(name):
    if name == "number":
        return [[0], [], [1]]
    if name == "number_and_yeses":
        return [[1], [], [4, 5, 7, 8]]
    if name == "coin_for_each":
        return [[], [1], [1]]
    if name == "hardly_ever":
        return [[], [1], [1]]
    return None
