"""What happens rarely is believed to be harmless.

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
    return None
