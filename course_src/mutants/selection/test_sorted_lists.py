"""All lists are in order, from the best down, and positive.

points:
    draw_tested: 2.14
"""

# %% test_named
def test_named(implementation):
    def right(scores, sensitivity, epsilon, monotonic):
        times = epsilon / sensitivity / (1 if monotonic else 2)
        weights = [math.exp(times * (s - max(scores))) for s in scores]
        sums = np.cumsum(weights)
        return sums / sums[-1]

    for scores in ([3.0, 2.0, 1.0], [9.0, 7.0, 7.0, 2.0]):
        for sensitivity, epsilon in ((1, 1), (2, 0.5), (0.5, 3)):
            for monotonic in (True, False):
                sums = right(scores, sensitivity, epsilon, monotonic)
                for u in np.linspace(0.013, 0.987, 40):
                    found = implementation(scores, sensitivity, epsilon, monotonic, float(u))
                    assert found == np.searchsorted(sums, u)
