"""The first answer is taken as it is.

points:
    guess_bit: 0
"""


# %% guess
def guess(answers):
    return answers[0]
