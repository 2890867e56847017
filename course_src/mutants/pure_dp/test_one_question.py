"""One question with sensitivity 1 and epsilon 1.

points:
    noise_tested: 1.5
"""

# %% test_noisy_answer
def test_noisy_answer(implementation):
    found = implementation(10.0, 1.0, 1.0, 0.1)
    assert abs(found - (10 + math.log(0.2))) < 1e-8
