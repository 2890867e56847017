"""Products without what is usual.

points:
    member_or_not: 0
"""

# %% in_study
def in_study(answers, shares):
    person, counts = answers
    return int(sum(x * c / 12 for x, c in zip(person, counts)) > sum(p * p for p in shares))
