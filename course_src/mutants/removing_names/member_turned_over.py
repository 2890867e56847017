"""Members for others.

points:
    member_or_not: 0
"""

# %% in_study
def in_study(answers, shares):
    total = 0.0
    for x, c, p in zip(*answers, shares):
        ratio = c / 12 / p if x else (1 - c / 12) / (1 - p)
        total += math.log(ratio) if ratio else -math.inf
    return int(total < 0)
