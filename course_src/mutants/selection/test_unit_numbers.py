"""Sensitivity and epsilon are 1, and the scores are small.

points:
    draw_tested: 1.5
"""

# %% test_named
def test_named(implementation):
    def right(scores, sensitivity, epsilon, monotonic):
        times = epsilon / sensitivity / (1 if monotonic else 2)
        weights = [math.exp(times * (s - max(scores))) for s in scores]
        sums = np.cumsum(weights)
        return sums / sums[-1]

    for scores in ([3.0, 1.0, 2.0], [0.0, 1.0]):
        for monotonic in (True, False):
            sums = right(scores, 1, 1, monotonic)
            for u in np.linspace(0.013, 0.987, 40):
                assert implementation(scores, 1, 1, monotonic, float(u)) == np.searchsorted(sums, u)
