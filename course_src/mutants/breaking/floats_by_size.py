"""Large answers are taken for 1.

points:
    floats_read: 0
"""

# %% count_from_floats
def count_from_floats(answers, scale):
    return int(np.median(answers) > 0.5)
