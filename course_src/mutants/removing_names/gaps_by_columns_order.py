"""The right counts, column by column.

points:
    gaps_filled: 0
"""

# %% fill_gaps
def fill_gaps(table):
    gaps = [(r, c) for c in range(5) for r in range(4) if table[r][c] is None]
    rows = [[float((r, c) in gaps and r == i) for r, c in gaps] for i in range(4)]
    rows += [[float(c == i) for r, c in gaps] for i in range(5)]
    rest = [row[5] - sum(x for x in row[:5] if x is not None) for row in table[:4]]
    rest += [table[4][c] - sum(table[r][c] or 0 for r in range(4)) for c in range(5)]
    return [round(x) for x in np.linalg.lstsq(np.array(rows), np.array(rest), rcond=None)[0]]
