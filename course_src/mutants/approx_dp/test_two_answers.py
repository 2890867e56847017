"""Tries a coin only.

points:
    stick_tested: 1.5
"""

# %% test_sticks_out
def test_sticks_out(implementation):
    for epsilon in (0.0, 0.3, 1.0, 2.0):
        right = max(0.0, 0.75 - math.exp(epsilon) / 4)
        assert abs(implementation([0.75, 0.25], [0.25, 0.75], epsilon) - right) < 1e-9
