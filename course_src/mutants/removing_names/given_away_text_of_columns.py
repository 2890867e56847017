"""Only the first column counts.

points:
    diagnoses_given_away: 0
"""

# %% given_away
def given_away(columns):
    found = {}
    for row in RELEASED:
        key = row[columns[0]] if columns else ""
        found.setdefault(key, []).append(row["diagnosis"])
    return sum(len(one) for one in found.values() if len(set(one)) == 1)
