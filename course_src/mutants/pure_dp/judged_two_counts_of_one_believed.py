"""Two noisy counts with the same patient in both are believed.

points:
    six_judged: 2
"""

# %% witness
def witness(name):
    if name == "number":
        return [[0], [], [1]]
    if name == "coin_for_each":
        return [[1], [], [1]]
    if name == "hardly_ever":
        return [[1], [], [1]]
    return None
