"""Only rows that are alone count.

points:
    diagnoses_given_away: 0
"""

# %% given_away
from collections import Counter


def given_away(columns):
    keys = [tuple(row[name] for name in columns) for row in RELEASED]
    return sum(count == 1 for count in Counter(keys).values())
