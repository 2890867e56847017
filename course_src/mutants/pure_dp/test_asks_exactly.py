"""The test compares with ==, and rejects right ones that round otherwise.

points:
    noise_tested: 0
"""

# %% test_noisy_answer
def test_noisy_answer(implementation):
    for u in (0.1, 0.3, 0.7, 0.9):
        b = 2.5 / 0.7
        noise = b * math.log(2 * u) if u <= 0.5 else -b * math.log(2 * (1 - u))
        assert implementation(3.3, 2.5, 0.7, u) == 3.3 + noise
