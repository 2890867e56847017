"""Single questions and pairs only.

points:
    audit_of_questions: 0
"""

# %% exposed
def exposed(questions, patients):
    found = set()
    rows = questions + [[0] * patients]
    for a in rows:
        for b in rows:
            both = [x - y for x, y in zip(a, b)]
            if sum(map(abs, both)) == 1:
                found.add(both.index(1) if 1 in both else both.index(-1))
    return sorted(found)
