"""Randomized response is believed to hide who was asked.

points:
    six_judged: 2
"""

# %% witness
def witness(name):
    if name == "number":
        return [[0], [], [1]]
    if name == "number_and_yeses":
        return [[1], [], [4, 5, 7, 8]]
    if name == "hardly_ever":
        return [[1], [], [1]]
    return None
