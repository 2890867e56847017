"""The last patient is left out: a list of seven bits.

points:
    rebuild_table: 0
"""


# %% rebuild
def rebuild(counts):
    return [counts[0] - count for count in counts[1:8]]
