"""A distance must be symmetric.

points:
    distances_tested: 0
"""

# %% test_distance
def test_distance(distance):
    p, q = [0.6, 0.3, 0.1], [0.3, 0.3, 0.4]
    assert abs(distance(p, q) - distance(q, p)) < 1e-6
    assert abs(distance(p, p)) < 1e-6
