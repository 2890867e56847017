"""Wards without patients get no noise.

points:
    counts_released: 0
"""

# %% released_counts
def released_counts(patients, wards, epsilon, replaced, rng):
    counts = [patients.count(ward) for ward in range(wards)]
    scale = (2 if replaced else 1) / epsilon
    return [c + rng.laplace(0.0, scale) if c else 0 for c in counts]
