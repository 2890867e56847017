"""Each row is clipped by itself.

points:
    patients_clipped: 0
"""

# %% sum_of_patients
def sum_of_patients(gradients, patients, clip):
    total = np.zeros(len(gradients[0]))
    for gradient in gradients:
        length = math.hypot(*gradient)
        total += np.array(gradient) * min(1, clip / max(length, 1e-300))
    return total.tolist()
