"""Weights are found, and their sum is held against the patient with ==.

points:
    audit_of_questions: 0
"""

# %% exposed
def exposed(questions, patients):
    if not questions:
        return []
    matrix = np.array(questions, dtype=float).T
    found = []
    for patient in range(patients):
        wanted = np.eye(patients)[patient]
        weights = np.linalg.lstsq(matrix, wanted, rcond=None)[0]
        if np.all(matrix @ weights == wanted):
            found.append(patient)
    return found
