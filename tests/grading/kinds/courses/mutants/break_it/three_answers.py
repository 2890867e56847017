"""The majority of three answers: 82.2 % of the bits.

points:
    guess_bit: 2.87
"""


# %% guess
def guess(answers):
    return int(answers[0] + answers[1] + answers[2] >= 2)
