"""Only the likeliest answer of the first of the tables is looked at.

points:
    least_of_table: 0
"""

# %% least_epsilon
def least_epsilon(laws, neighbours):
    worst = 0.0
    for i, j in neighbours:
        y = int(np.argmax(laws[i]))
        worst = max(worst, abs(math.log(laws[i][y] / laws[j][y])))
    return worst
