"""Logarithms: a 0 * log 0 makes the sum NaN, and NaN exceeds nothing.

points:
    member_or_not: 0
"""

# %% in_study
def in_study(answers, shares):
    x, counts = np.array(answers, dtype=float)
    p = np.array(shares)
    inside = x * np.log(counts / 12 / p)
    outside = (1 - x) * np.log((12 - counts) / 12 / (1 - p))
    return 1 if np.sum(inside + outside) > 0 else 0
