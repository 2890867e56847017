"""Unequal laws must have a positive distance.

points:
    distances_tested: 0
"""

# %% test_distance
def test_distance(distance):
    for p, q in (([0.6, 0.4], [0.4, 0.6]), ([0.5, 0.5], [0.45, 0.55])):
        assert distance(p, q) > 0
        assert abs(distance(p, p)) < 1e-6
