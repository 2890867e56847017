"""Right counts, in the order in which they were found.

points:
    gaps_filled: 0
"""

# %% fill_gaps
def fill_gaps(table):
    table = [list(row) for row in table]
    gaps = [(r, c) for r in range(4) for c in range(5) if table[r][c] is None]
    found = []
    while len(found) < 8:
        for r, c in gaps:
            for line in (table[r], [row[c] for row in table]):
                if table[r][c] is None and line.count(None) == 1:
                    table[r][c] = line[-1] - sum(x for x in line[:-1] if x is not None)
                    found.append(table[r][c])
    return found
