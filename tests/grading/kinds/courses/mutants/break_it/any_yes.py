"""One yes is taken for proof.

points:
    guess_bit: 0
"""


# %% guess
def guess(answers):
    return max(answers)
