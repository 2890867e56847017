"""Table and neighbour exchanged, where the event is the likelier on the neighbour.

points:
    desks_judged: 0
"""

# %% witness
def witness(name):
    found = {
        "longest": [[0, 1], [0, 0], [21]],
        "one_of_the_names": [[1, 0], [0, 0], [21]],
        "loudest_and_how_loud": [[1, 1], [0, 0], [20, 23]],
        "bell_by_counts": [[1, 1], [0, 0], [22]],
        "bell_by_threshold": [[0, 0], [0, 1], [21]],
    }
    return found.get(name)
