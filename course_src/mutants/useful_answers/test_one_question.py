"""One question, with a lower bound of 0.

points:
    mean_tested: 2
"""

# %% test_noisy_mean
def test_noisy_mean(implementation):
    def right(values, low, high, epsilon, z):
        return float(np.mean(np.clip(values, low, high))) + z * (high - low) / len(values) / epsilon

    case = [2.0, 5.0, 130.0], 0.0, 30.0, 1.0, 2.0
    assert abs(implementation(*case) - right(*case)) < 1e-8
