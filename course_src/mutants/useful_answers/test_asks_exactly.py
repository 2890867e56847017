"""Rounding is forbidden.

points:
    mean_tested: 0
"""

# %% test_noisy_mean
def test_noisy_mean(implementation):
    def right(values, low, high, epsilon, z):
        return float(np.mean(np.clip(values, low, high))) + z * (high - low) / len(values) / epsilon

    for case in (([0.1, 0.2, 0.3], 0.0, 0.7, 0.3, 1.1), ([1.1, 2.7, -9], -3.3, 2.1, 0.7, 0.3), ([0.7] * 9, 0, 1, 3, 0.1)):
        assert implementation(*case) == sum(min(case[2], max(case[1], v)) for v in case[0]) / len(case[0]) + (
            case[2] - case[1]) / (len(case[0]) * case[3]) * case[4]
