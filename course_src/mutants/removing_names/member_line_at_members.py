"""The line at the average of members.

points:
    member_or_not: 2.2
"""

# %% in_study
def in_study(answers, shares):
    person, counts = answers
    score = sum((x - p) * (c / 12 - p) for x, c, p in zip(person, counts, shares))
    return int(score > sum(p * (1 - p) for p in shares) / 12)
