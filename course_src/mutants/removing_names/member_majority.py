"""Agrees with most of the study.

points:
    member_or_not: 0
"""

# %% in_study
def in_study(answers, shares):
    same = sum(x == (c > 6) for x, c in zip(*answers))
    return int(same > 20)
