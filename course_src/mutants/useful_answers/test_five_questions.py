"""Nothing lies below the lower bound, and nobody is alone.

points:
    mean_tested: 2.25
"""

# %% test_noisy_mean
def test_noisy_mean(implementation):
    def right(values, low, high, epsilon, z):
        mean = sum(min(high, max(low, v)) for v in values) / len(values)
        return mean + z * (high - low) / (len(values) * epsilon)

    for case in [
        ([1, 2, 3], 0, 10, 1, 0),
        ([1, 2, 30], 0, 10, 1, 0),
        ([1, 2, 30], 0, 10, 0.5, 1),
        ([5, 6, 70, 80], 1, 10, 0.5, -1),
        ([-5, 6, 70, 80], -10, 20, 2, 3),
    ]:
        assert abs(implementation(*case) - right(*case)) < 1e-9
