"""The factor is computed first, and overflows.

points:
    delta_of_table: 0
"""

# %% delta_needed
def delta_needed(laws, neighbours, epsilon):
    orders = neighbours + [pair[::-1] for pair in neighbours]
    return max(sum(max(0.0, a - math.exp(epsilon) * b) for a, b in zip(laws[i], laws[j])) for i, j in orders)
