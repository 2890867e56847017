"""Columns, then rows, once.

points:
    gaps_filled: 2
"""

# %% fill_gaps
def fill_gaps(table):
    table = [list(row) for row in table]
    gaps = [(r, c) for r in range(4) for c in range(5) if table[r][c] is None]
    for c in range(5):
        column = [table[r][c] for r in range(4)]
        if column.count(None) == 1:
            table[column.index(None)][c] = table[4][c] - sum(x for x in column if x is not None)
    for r in range(4):
        if table[r].count(None) == 1:
            c = table[r].index(None)
            table[r][c] = table[r][5] - sum(x for x in table[r][:5] if x is not None)
    return [2 if table[r][c] is None else table[r][c] for r, c in gaps]
