"""The test accepts everything.

points:
    noise_tested: 0
"""

# %% test_noisy_answer
def test_noisy_answer(implementation):
    implementation(10, 1, 1, 0.3)
