"""Constants.

points:
    guess_bit: 0
    rebuild_table: 0
"""


# %% guess
def guess(answers):
    return 1


# %% rebuild
def rebuild(counts):
    return [1, 0] * 4
