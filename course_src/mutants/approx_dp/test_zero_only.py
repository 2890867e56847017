"""Tries epsilon = 0 only.

points:
    stick_tested: 1.07
"""

# %% test_sticks_out
def test_sticks_out(implementation):
    for p, q in (([0.5, 0.3, 0.2], [0.1, 0.4, 0.5]), ([0.6, 0.3, 0.1], [0.0, 0.2, 0.8]), ([0.4, 0.4, 0.2], [0.1, 0.2, 0.7])):
        right = sum(max(0.0, a - b) for a, b in zip(p, q))
        assert abs(implementation(p, q, 0.0) - right) < 1e-9
