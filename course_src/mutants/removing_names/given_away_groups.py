"""Groups are counted, not the patients in them.

points:
    diagnoses_given_away: 0
"""

# %% given_away
def given_away(columns):
    found = {}
    for row in RELEASED:
        found.setdefault(tuple(row[name] for name in columns), set()).add(row["diagnosis"])
    return len([diagnoses for diagnoses in found.values() if len(diagnoses) == 1])
