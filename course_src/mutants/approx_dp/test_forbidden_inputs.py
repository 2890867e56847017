"""Asks outside of the ranges.

points:
    stick_tested: 0
"""

# %% test_sticks_out
def test_sticks_out(implementation):
    assert abs(implementation([0.5, 0.5], [0.0, 1.0], 1000.0) - 0.5) < 1e-9
