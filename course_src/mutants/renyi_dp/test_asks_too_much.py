"""A test that compares floats with ==, so right implementations that round otherwise fail it.

points:
    max_tested: 0
"""

# %% test_max_divergence
def test_max_divergence(implementation):
    for p in (0.1, 0.3, 0.6, 0.7, 0.9):
        assert implementation([p, 1 - p], [0.35, 0.65]) == max(
            math.log(p / 0.35), math.log((1 - p) / 0.65)
        )
    assert implementation([0.5, 0.5], [1.0, 0.0]) == math.inf
