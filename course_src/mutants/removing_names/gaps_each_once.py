"""Each gap is looked at once.

points:
    gaps_filled: 2
"""

# %% fill_gaps
def fill_gaps(table):
    table = [list(row) for row in table]
    gaps = [(r, c) for r in range(4) for c in range(5) if table[r][c] is None]
    for r, c in gaps:
        for line in (table[r], [row[c] for row in table]):
            if table[r][c] is None and line.count(None) == 1:
                table[r][c] = line[-1] - sum(x for x in line[:-1] if x is not None)
    return [2 if table[r][c] is None else table[r][c] for r, c in gaps]
