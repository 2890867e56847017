"""All once the rank is full.

points:
    audit_of_questions: 0
"""

# %% exposed
def exposed(questions, patients):
    if questions and np.linalg.matrix_rank(np.array(questions)) == patients:
        return list(range(patients))
    return []
