"""Her counts are compared with a half.

points:
    bell_heard: 0.1
"""

# %% guess_ill
def guess_ill(answers, margins, hers):
    return int(sum(y for y, h in zip(answers, hers) if h) > 90)
