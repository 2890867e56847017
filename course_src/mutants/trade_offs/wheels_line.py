"""The mean answer against the line halfway.

points:
    wheels_read: 0
"""

# %% is_in
def is_in(answers, wheels):
    return int(sum(answers) / 3 > 137.5)
