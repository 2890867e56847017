"""0 log 0 is not looked after.

points:
    capacity_certified: 0
"""

# %% capacity_above
def capacity_above(rows, width):
    table = np.array(rows, dtype=float)
    belief = np.full(len(table), 1 / len(table))
    for _ in range(500):
        mixture = belief @ table
        ratio = table / mixture
        distances = (table * np.log(ratio)).sum(axis=1)
        if distances.max() - belief @ distances <= width:
            return float(distances.max())
        belief = belief * np.exp(distances)
        belief = belief / belief.sum()
    return float(distances.max())
