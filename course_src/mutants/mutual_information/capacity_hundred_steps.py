"""The furthest row after a hundred steps.

points:
    capacity_certified: 0
"""

# %% capacity_above
def capacity_above(rows, width):
    table = np.array(rows, dtype=float)
    table = table[:, table.max(axis=0) > 0]
    belief = np.full(len(table), 1 / len(table))
    for _ in range(100):
        mixture = belief @ table
        ratio = np.where(table > 0, table / mixture, 1.0)
        distances = (table * np.log(ratio)).sum(axis=1)
        belief = belief * np.exp(distances)
        belief = belief / belief.sum()
    return float(distances.max())
