"""Rows are clipped and then averaged.

points:
    patients_clipped: 0
"""

# %% sum_of_patients
def sum_of_patients(gradients, patients, clip):
    rows = {}
    for gradient, patient in zip(gradients, patients):
        length = math.hypot(*gradient)
        short = np.array(gradient) * min(1, clip / max(length, 1e-300))
        rows.setdefault(patient, []).append(short)
    return sum(np.mean(own, axis=0) for own in rows.values()).tolist()
