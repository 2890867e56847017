"""Logarithms: a 0 * log 0 makes the sum NaN, which is not below 0.

points:
    member_or_not: 0
"""

# %% in_study
def in_study(answers, shares):
    evidence = 0.0
    for has, count, share in zip(*answers, shares):
        share_in = np.float64(count / 12)
        evidence += has * np.log(share_in / share)
        evidence += (1 - has) * np.log((1 - share_in) / (1 - share))
    return 0 if evidence < 0 else 1
