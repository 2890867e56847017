"""A probability is returned where a bit was asked for.

points:
    guess_bit: 0
"""


# %% guess
def guess(answers):
    return sum(answers) / len(answers)
