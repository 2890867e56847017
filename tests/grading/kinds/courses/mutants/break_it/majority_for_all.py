"""All patients get the bit that most of them have.

points:
    rebuild_table: 0
"""


# %% rebuild
def rebuild(counts):
    return [1 if counts[0] >= 5 else 0] * 8
