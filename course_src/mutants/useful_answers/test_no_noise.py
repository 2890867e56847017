"""Only the mean is asked, with z = 0.

points:
    mean_tested: 1.5
"""

# %% test_noisy_mean
def test_noisy_mean(implementation):
    def right(values, low, high, epsilon, z):
        return float(np.mean(np.clip(values, low, high))) + z * (high - low) / len(values) / epsilon

    for case in (([2.0, 50.0, -130.0], -8.0, 30.0, 0.5, 0.0), ([-900.0], -20.0, -3.0, 2.0, 0.0), ([500.0, 3.0], 4, 6, 1, 0)):
        assert abs(implementation(*case) - right(*case)) < 1e-8
