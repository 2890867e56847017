"""The counts are not divided by twelve.

points:
    member_or_not: 0
"""

# %% in_study
def in_study(answers, shares):
    person, counts = answers
    return int(sum((x - p) * (c - p) for x, c, p in zip(person, counts, shares)) > 0)
