"""Nearer to the study than to the shares.

points:
    member_or_not: 2.15
"""

# %% in_study
def in_study(answers, shares):
    person, counts = answers
    to_study = sum(abs(x - c / 12) for x, c in zip(person, counts))
    return 1 if to_study < sum(abs(x - p) for x, p in zip(person, shares)) else 0
