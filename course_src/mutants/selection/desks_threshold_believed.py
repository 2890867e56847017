"""The noise of the threshold is thought to be enough.

points:
    desks_judged: 3
"""

# %% witness
def witness(name):
    found = {
        "longest": [[0, 1], [0, 0], [21]],
        "one_of_the_names": [[0, 0], [1, 0], [21]],
        "loudest_and_how_loud": [[0, 0], [1, 1], [20, 23]],
        "bell_by_counts": [[0, 0], [1, 1], [22]],
    }
    return found.get(name)
