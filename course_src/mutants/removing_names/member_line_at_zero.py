"""The line at 0.

points:
    member_or_not: 2.6
"""

# %% in_study
def in_study(answers, shares):
    person, counts = answers
    return int(sum((x - p) * (c / 12 - p) for x, c, p in zip(person, counts, shares)) > 0)
