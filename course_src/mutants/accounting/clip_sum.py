"""The sum of all is clipped.

points:
    patients_clipped: 0
"""

# %% sum_of_patients
def sum_of_patients(gradients, patients, clip):
    rows = {}
    for gradient, patient in zip(gradients, patients):
        rows.setdefault(patient, []).append(gradient)
    total = sum(np.mean(own, axis=0) for own in rows.values())
    return (total * min(1, clip / max(math.hypot(*total), 1e-300))).tolist()
