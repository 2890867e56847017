"""Answers that are impossible on one of the tables are left out.

points:
    least_of_table: 0
"""

# %% least_epsilon
def least_epsilon(laws, neighbours):
    losses = [0.0]
    for i, j in neighbours:
        losses += [abs(math.log(p / q)) for p, q in zip(laws[i], laws[j]) if p > 0 and q > 0]
    return max(losses)
