"""The bit that is less likely, and each rebuilt bit turned over.

points:
    guess_bit: 0
    rebuild_table: 0
"""


# %% guess
def guess(answers):
    return 0 if sum(answers) >= 3 else 1


# %% rebuild
def rebuild(counts):
    return [1 - (counts[0] - count) for count in counts[1:]]
