"""With numpy, where infinity times zero is no number.

points:
    delta_of_table: 0
"""

# %% delta_needed
def delta_needed(laws, neighbours, epsilon):
    laws = np.array(laws)
    orders = neighbours + [pair[::-1] for pair in neighbours]
    with np.errstate(all="ignore"):
        return float(max(np.maximum(0, laws[i] - np.exp(epsilon) * laws[j]).sum() for i, j in orders))
