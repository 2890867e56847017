"""Accepts everything.

points:
    stick_tested: 0
"""

# %% test_sticks_out
def test_sticks_out(implementation):
    implementation([0.5, 0.5], [0.2, 0.8], 0.5)
