"""The share in place of the number.

points:
    diagnoses_given_away: 0
"""

# %% given_away
def given_away(columns):
    found = {}
    for row in RELEASED:
        found.setdefault(tuple(row[name] for name in columns), []).append(row["diagnosis"])
    return sum(len(one) for one in found.values() if len(set(one)) == 1) / len(RELEASED)
