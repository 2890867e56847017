"""Patients are counted from one.

points:
    audit_of_questions: 0
"""

# %% exposed
def exposed(questions, patients):
    if not questions:
        return []
    matrix = np.array(questions, dtype=float)
    rank = np.linalg.matrix_rank(matrix)
    return [
        i + 1
        for i in range(patients)
        if np.linalg.matrix_rank(np.vstack([matrix, np.eye(patients)[i]])) == rank
    ]
