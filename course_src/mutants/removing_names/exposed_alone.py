"""Only groups of one.

points:
    audit_of_questions: 0
"""

# %% exposed
def exposed(questions, patients):
    return sorted({row.index(1) for row in questions if sum(row) == 1})
