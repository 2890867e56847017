"""The largest factor, without a logarithm.

points:
    least_of_table: 0
"""

# %% least_epsilon
def least_epsilon(laws, neighbours):
    worst = 1.0
    for i, j in neighbours:
        for p, q in zip(laws[i], laws[j]):
            if p != q:
                worst = max(worst, math.inf if 0 in (p, q) else max(p / q, q / p))
    return worst
