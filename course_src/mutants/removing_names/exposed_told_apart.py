"""Whoever is in other groups than all others.

points:
    audit_of_questions: 0
"""

# %% exposed
def exposed(questions, patients):
    columns = [tuple(row[i] for row in questions) for i in range(patients)]
    return [i for i, column in enumerate(columns) if columns.count(column) == 1]
