"""It asks only whether a candidate that is far ahead is named.

points:
    draw_tested: 0.85
"""

# %% test_named
def test_named(implementation):

    assert implementation([0.0, 900.0, 3.0], 1, 1, True, 0.4) == 1
    assert implementation([-5000.0, -90.0], 1, 1, False, 0.9) == 1
