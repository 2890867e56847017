"""No negative answer, no broken number and no large epsilon is asked for.

points:
    noise_tested: 2.1
"""

# %% test_noisy_answer
def test_noisy_answer(implementation):
    for value in (100, 500):
        for sensitivity, epsilon in ((1, 1), (3, 0.5)):
            for u in (0.01, 0.9):
                sign = -1 if u < 0.5 else 1
                right = value - sign * sensitivity / epsilon * math.log(2 * min(u, 1 - u))
                assert abs(implementation(value, sensitivity, epsilon, u) - right) < 1e-8
