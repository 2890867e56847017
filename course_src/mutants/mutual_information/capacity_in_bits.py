"""The upper bound, in bits.

points:
    capacity_certified: 0
"""

# %% capacity_above
def capacity_above(rows, width):
    table = np.array(rows, dtype=float)
    table = table[:, table.max(axis=0) > 0]
    belief = np.full(len(table), 1 / len(table))
    while True:
        mixture = belief @ table
        ratio = np.where(table > 0, table / mixture, 1.0)
        distances = (table * np.log2(ratio)).sum(axis=1)
        if distances.max() - belief @ distances <= width:
            return float(distances.max())
        belief = belief * 2**distances
        belief = belief / belief.sum()
