"""The test compares with the wrong sign, and rejects right ones.

points:
    noise_tested: 0
"""

# %% test_noisy_answer
def test_noisy_answer(implementation):
    assert implementation(10, 1, 1, 0.3) > 10
