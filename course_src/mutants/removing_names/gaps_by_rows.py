"""Rows only.

points:
    gaps_filled: 0
"""

# %% fill_gaps
def fill_gaps(table):
    found = []
    for row in table[:4]:
        rest = row[5] - sum(x for x in row[:5] if x is not None)
        gaps = row[:5].count(None)
        found += [rest if gaps == 1 else 2] * gaps
    return found
