"""Only equal laws are asked.

points:
    distances_tested: 0.33
"""

# %% test_distance
def test_distance(distance):
    for p in ([0.5, 0.5], [0.2, 0.3, 0.5], [1.0, 0.0]):
        assert abs(distance(p, p)) < 1e-6
