"""Rejects everybody.

points:
    stick_tested: 0
"""

# %% test_sticks_out
def test_sticks_out(implementation):
    assert implementation([0.5, 0.5], [0.2, 0.8], 0.5) < 0
