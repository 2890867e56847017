"""The root over the logarithm is missing.

points:
    sums_released: 0
"""

# %% released_sums
def released_sums(rows, low, high, epsilon, delta, replaced, rng):
    rows = np.clip(np.array(rows, dtype=float), low, high)
    low, high = np.array(low, dtype=float), np.array(high, dtype=float)
    steps = high - low if replaced else np.maximum(abs(low), abs(high))
    sigma = np.sqrt((steps**2).sum()) / epsilon * 2 * np.log(1.25 / delta)
    return rows.sum(axis=0) + rng.normal(0.0, sigma, len(low))
