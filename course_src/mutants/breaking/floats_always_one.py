"""It is always 1.

points:
    floats_read: 0
"""

# %% count_from_floats
def count_from_floats(answers, scale):
    return 1
