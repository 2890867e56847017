"""Weights are -1, 0 and 1 only.

points:
    audit_of_questions: 0
"""

# %% exposed
def exposed(questions, patients):
    sums = {(0,) * patients}
    for row in questions:
        sums |= {tuple(t + w * x for t, x in zip(s, row)) for s in sums for w in (-1, 1)}
    units = [tuple(int(i == j) for j in range(patients)) for i in range(patients)]
    return [i for i in range(patients) if units[i] in sums]
