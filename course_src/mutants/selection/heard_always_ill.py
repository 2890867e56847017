"""She is always ill.

points:
    bell_heard: 0
"""

# %% guess_ill
def guess_ill(answers, margins, hers):
    return 1
