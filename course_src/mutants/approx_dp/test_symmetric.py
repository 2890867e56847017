"""Wants the same in both orders.

points:
    stick_tested: 0
"""

# %% test_sticks_out
def test_sticks_out(implementation):
    p, q = [0.5, 0.49, 0.01], [0.4, 0.5996, 0.0004]
    assert abs(implementation(p, q, 0.7) - implementation(q, p, 0.7)) < 1e-9
