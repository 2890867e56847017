"""The hits of an attacker who guesses.

points:
    diagnoses_given_away: 0
"""

# %% given_away
def given_away(columns):
    found = {}
    for row in RELEASED:
        found.setdefault(tuple(row[name] for name in columns), []).append(row["diagnosis"])
    return sum(max(one.count(d) for d in one) for one in found.values())
