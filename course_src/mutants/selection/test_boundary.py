"""It asks where right ones may differ: at the sum of two equal weights.

points:
    draw_tested: 0
"""

# %% test_named
def test_named(implementation):
    def right(scores, sensitivity, epsilon, monotonic):
        times = epsilon / sensitivity / (1 if monotonic else 2)
        weights = [math.exp(times * (s - max(scores))) for s in scores]
        sums = np.cumsum(weights)
        return sums / sums[-1]

    for scores in ([2.0, 2.0], [3.0, 1.0, 2.0], [5.0, 4.0]):
        for u in (0.1, 0.5, 0.9):
            sums = right(scores, 2, 1, True)
            found = implementation(scores, 2, 1, True, u)
            assert found == (np.searchsorted(sums, u, side="left"))
            assert implementation([0.0, 0.0, 0.0, 0.0], 1, 1, True, 0.5) == 1
