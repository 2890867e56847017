"""Half of the sum of the differences, as of the total variation distance.

points:
    least_of_table: 0
"""

# %% least_epsilon
def least_epsilon(laws, neighbours):
    return max(np.abs(np.subtract(laws[i], laws[j])).sum() / 2 for i, j in neighbours)
