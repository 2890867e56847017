"""Right counts, found by filling in the caller's own table.

points:
    gaps_filled: 0
"""

# %% fill_gaps
def fill_gaps(table):
    gaps = [(r, c) for r in range(4) for c in range(5) if table[r][c] is None]
    while any(table[r][c] is None for r, c in gaps):
        for r, c in gaps:
            row, column = table[r], [line[c] for line in table]
            for line in (row, column):
                if line.count(None) == 1 and table[r][c] is None:
                    table[r][c] = line[-1] - sum(x for x in line[:-1] if x is not None)
    return [table[r][c] for r, c in gaps]
