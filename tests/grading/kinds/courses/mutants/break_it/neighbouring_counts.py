"""Counts that stand next to each other are subtracted; the last patient is forgotten.

points:
    rebuild_table: 0
"""


# %% rebuild
def rebuild(counts):
    return [before - after for before, after in zip(counts, counts[1:-1])]
