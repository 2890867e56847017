"""Has no zeros.

points:
    stick_tested: 2.35
"""

# %% test_sticks_out
def test_sticks_out(implementation):
    for p, q in (([0.2, 0.3, 0.5], [0.5, 0.1, 0.4]), ([0.5, 0.49, 0.01], [0.4, 0.5996, 0.0004]), ([0.1, 0.3, 0.6], [0.05, 0.9, 0.05])):
        for epsilon in (0.0, 0.5, 1.0, 2.0):
            right = sum(max(0.0, a - math.exp(epsilon) * b) for a, b in zip(p, q))
            assert abs(implementation(p, q, epsilon) - right) < 1e-9
