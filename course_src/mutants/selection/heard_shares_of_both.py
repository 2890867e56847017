"""Her counts against the others, as they stand.

points:
    bell_heard: 0
"""

# %% guess_ill
def guess_ill(answers, margins, hers):
    return int(sum(y for y, h in zip(answers, hers) if h) > sum(y for y, h in zip(answers, hers) if not h))
