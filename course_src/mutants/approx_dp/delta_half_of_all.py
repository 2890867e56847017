"""Half of all absolute differences, in one order.

points:
    delta_of_table: 0
"""

# %% delta_needed
def delta_needed(laws, neighbours, epsilon):
    laws = np.array(laws)
    with np.errstate(all="ignore"):
        return max(np.abs(laws[i] - np.exp(epsilon) * laws[j]).sum() / 2 for i, j in neighbours)
