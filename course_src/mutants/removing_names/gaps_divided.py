"""What is missing in a row is divided evenly.

points:
    gaps_filled: 0
"""

# %% fill_gaps
def fill_gaps(table):
    found = []
    for row in table[:4]:
        gaps = row.count(None)
        rest = row[5] - sum(x for x in row[:5] if x is not None)
        found += [round(rest / gaps)] * gaps if gaps else []
    return found
