"""The winner's noisy number is thought to be free.

points:
    desks_judged: 3
"""

# %% witness
def witness(name):
    found = {
        "longest": [[0, 1], [0, 0], [21]],
        "one_of_the_names": [[0, 0], [1, 0], [21]],
        "bell_by_counts": [[0, 0], [1, 1], [22]],
        "bell_by_threshold": [[0, 1], [0, 0], [21]],
    }
    return found.get(name)
