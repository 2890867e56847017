"""Everybody is a member.

points:
    member_or_not: 0
"""

# %% in_study
def in_study(answers, shares):
    return 1
