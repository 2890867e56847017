"""Each pair of neighbours is looked at in one direction only.

points:
    least_of_table: 0
"""

# %% least_epsilon
def least_epsilon(laws, neighbours):
    worst = 0.0
    for i, j in neighbours:
        for p, q in zip(laws[i], laws[j]):
            if p > 0:
                worst = max(worst, math.inf if q == 0 else math.log(p / q))
    return worst
