"""The logarithm has base 2.

points:
    least_of_table: 0
"""

# %% least_epsilon
def least_epsilon(laws, neighbours):
    worst = 0.0
    for i, j in neighbours:
        for p, q in zip(laws[i], laws[j]):
            if p != q:
                worst = max(worst, math.inf if 0 in (p, q) else abs(math.log2(p / q)))
    return worst
