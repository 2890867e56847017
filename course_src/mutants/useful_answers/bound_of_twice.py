"""The noise is taken to be twice as large.

points:
    bound_chosen: 0
"""

# %% best_bound
def best_bound(report, people, epsilon):
    values = np.array(report, dtype=float)

    def error(bound):
        bias = np.mean(np.maximum(values - bound, 0.0))
        return math.hypot(bias, 2 * math.sqrt(2) * bound / (epsilon * people))

    low, high = 0.0, float(values.max())
    for _ in range(200):
        first, second = low + (high - low) / 3, high - (high - low) / 3
        if error(first) < error(second):
            high = second
        else:
            low = first
    return [low, error(low)]
