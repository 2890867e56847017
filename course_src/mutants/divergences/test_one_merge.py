"""One desk, merged once.

points:
    distances_tested: 1.66
"""

# %% test_distance
def test_distance(distance):
    p, q = [0.6, 0.3, 0.1], [0.3, 0.3, 0.4]
    assert distance(p, p) < 1e-6
    assert distance(p, q) >= 0
    assert distance([0.9, 0.1], [0.6, 0.4]) <= distance(p, q) + 1e-9
    assert distance([0.6, 0.4], [0.3, 0.7]) <= distance(p, q) + 1e-9
