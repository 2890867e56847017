"""The test asks for u = 0, which is outside of the range.

points:
    noise_tested: 0
"""

# %% test_noisy_answer
def test_noisy_answer(implementation):
    assert implementation(10, 1, 1, 0) == -math.inf
