"""A vector of zeros is divided by its length.

points:
    patients_clipped: 0
"""

# %% sum_of_patients
def sum_of_patients(gradients, patients, clip):
    rows = {}
    for gradient, patient in zip(gradients, patients):
        rows.setdefault(patient, []).append(gradient)
    total = np.zeros(len(gradients[0]))
    for own in rows.values():
        mean = np.mean(own, axis=0)
        total += mean * min(1.0, clip / math.hypot(*mean))
    return total
