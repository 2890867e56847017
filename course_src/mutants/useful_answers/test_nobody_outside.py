"""All values lie within the bounds.

points:
    mean_tested: 1.5
"""

# %% test_noisy_mean
def test_noisy_mean(implementation):
    def right(values, low, high, epsilon, z):
        return float(np.mean(np.clip(values, low, high))) + z * (high - low) / len(values) / epsilon

    for case in (([2.0, 5.0, 13.0], -8.0, 30.0, 0.5, 2.0), ([1.0], 0.0, 3.0, 2.0, -1.5)):
        assert abs(implementation(*case) - right(*case)) < 1e-8
