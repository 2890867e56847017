"""Each processing must make it smaller.

points:
    distances_tested: 0
"""

# %% test_distance
def test_distance(distance):
    p, q = [0.6, 0.3, 0.1], [0.3, 0.3, 0.4]
    assert distance([0.9, 0.1], [0.6, 0.4]) < distance(p, q)
