"""Any zero makes it infinite.

points:
    least_of_table: 0
"""

# %% least_epsilon
def least_epsilon(laws, neighbours):
    worst = 0.0
    for i, j in neighbours:
        for p, q in zip(laws[i], laws[j]):
            if p == 0 or q == 0:
                return math.inf
            worst = max(worst, abs(math.log(p / q)))
    return worst
