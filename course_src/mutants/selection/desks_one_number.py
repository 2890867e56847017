"""Of the loud one a single answer, which is not four times as likely by enough for both noises.

points:
    desks_judged: 3
"""

# %% witness
def witness(name):
    found = {
        "longest": [[0, 1], [0, 0], [21]],
        "one_of_the_names": [[0, 0], [1, 0], [21]],
        "loudest_and_how_loud": [[0, 0], [0, 1], [20]],
        "bell_by_counts": [[0, 0], [1, 1], [22]],
        "bell_by_threshold": [[0, 1], [0, 0], [21]],
    }
    return found.get(name)
