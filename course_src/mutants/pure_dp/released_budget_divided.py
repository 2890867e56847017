"""The budget is divided by the number of wards.

points:
    counts_released: 0
"""

# %% released_counts
def released_counts(patients, wards, epsilon, replaced, rng):
    counts = [patients.count(ward) for ward in range(wards)]
    scale = wards * (2 if replaced else 1) / epsilon
    return [c + rng.laplace(0.0, scale) for c in counts]
