"""Each gap is taken to be 2.

points:
    gaps_filled: 0
"""

# %% fill_gaps
def fill_gaps(table):
    return [2] * sum(row.count(None) for row in table)
