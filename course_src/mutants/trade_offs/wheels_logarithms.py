"""Sums of logarithms, also of 0.

points:
    wheels_read: 0
"""

# %% is_in
def is_in(answers, wheels):
    p = q = 0.0
    for answer, wheel in zip(answers, wheels):
        q += math.log(wheel[answer - 137 + 3])
        p += math.log(wheel[answer - 138 + 3])
    return int(p > q)
