"""It never asks for scores that are not monotonic.

points:
    draw_tested: 2.78
"""

# %% test_named
def test_named(implementation):
    def right(scores, sensitivity, epsilon, monotonic):
        times = epsilon / sensitivity / (1 if monotonic else 2)
        weights = [math.exp(times * (s - max(scores))) for s in scores]
        sums = np.cumsum(weights)
        return sums / sums[-1]

    for scores in ([3.0, 1.0, 2.0], [-2.0, -1.0, -1.0], [1e5, 1e5 + 0.4]):
        for sensitivity, epsilon in ((1, 1), (2, 3)):
            sums = right(scores, sensitivity, epsilon, True)
            for u in np.linspace(0.013, 0.987, 40):
                found = implementation(scores, sensitivity, epsilon, True, float(u))
                assert found == np.searchsorted(sums, u)
