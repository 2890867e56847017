"""Events without the number that is added.

points:
    desks_judged: 0
"""

# %% witness
def witness(name):
    found = {
        "longest": [[0, 1], [0, 0], [21]],
        "one_of_the_names": [[0, 0], [1, 0], [1]],
        "loudest_and_how_loud": [[0, 0], [1, 1], [0, 3]],
        "bell_by_counts": [[0, 0], [1, 1], [2]],
        "bell_by_threshold": [[0, 1], [0, 0], [1]],
    }
    return found.get(name)
