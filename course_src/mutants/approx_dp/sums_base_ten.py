"""The logarithm has base 10.

points:
    sums_released: 0
"""

# %% released_sums
def released_sums(rows, low, high, epsilon, delta, replaced, rng):
    data = np.clip(np.array(rows, dtype=float), low, high).sum(axis=0)
    low, high = np.array(low, dtype=float), np.array(high, dtype=float)
    steps = high - low if replaced else np.maximum(abs(low), abs(high))
    sigma = np.sqrt((steps**2).sum()) * math.sqrt(2 * math.log10(1.25 / delta)) / epsilon
    return (data + rng.normal(0.0, sigma, len(data))).tolist()
