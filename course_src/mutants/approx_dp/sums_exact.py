"""The least noise in the place of the textbook's.

points:
    sums_released: 0
"""

# %% released_sums
def released_sums(rows, low, high, epsilon, delta, replaced, rng):
    rows = np.clip(np.array(rows, dtype=float), low, high)
    low, high = np.array(low, dtype=float), np.array(high, dtype=float)
    steps = high - low if replaced else np.maximum(abs(low), abs(high))
    sensitivity = np.sqrt((steps**2).sum())
    return rows.sum(axis=0) + rng.normal(0.0, enough_noise(sensitivity, epsilon, delta), len(low))
