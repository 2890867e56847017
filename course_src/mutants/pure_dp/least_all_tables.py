"""All tables are compared, neighbours or not.

points:
    least_of_table: 0
"""

# %% least_epsilon
def least_epsilon(laws, neighbours):
    worst = 0.0
    for a in laws:
        for b in laws:
            for p, q in zip(a, b):
                if p > 0:
                    worst = max(worst, math.inf if q == 0 else math.log(p / q))
    return worst
