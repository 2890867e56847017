"""The test asks for the median only, where there is no noise.

points:
    noise_tested: 1.2
"""

# %% test_noisy_answer
def test_noisy_answer(implementation):
    for value in (-20, 3.3, 50):
        assert abs(implementation(value, 3, 0.5, 0.5) - value) < 1e-8
