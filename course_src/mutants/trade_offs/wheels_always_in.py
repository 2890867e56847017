"""She is always in.

points:
    wheels_read: 0
"""

# %% is_in
def is_in(answers, wheels):
    return 1
