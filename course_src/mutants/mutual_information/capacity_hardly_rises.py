"""Stops where a step gains less than a hundredth of the width, and adds half of the width.

points:
    capacity_certified: 0
"""

# %% capacity_above
def capacity_above(rows, width):
    table = np.array(rows, dtype=float)
    table = table[:, table.max(axis=0) > 0]
    belief = np.full(len(table), 1 / len(table))
    last = -1.0
    while True:
        mixture = belief @ table
        ratio = np.where(table > 0, table / mixture, 1.0)
        distances = (table * np.log(ratio)).sum(axis=1)
        if belief @ distances - last < width / 100:
            return float(belief @ distances + width / 2)
        last = belief @ distances
        belief = belief * np.exp(distances)
        belief = belief / belief.sum()
