"""Accepts everything.

points:
    distances_tested: 0
"""

# %% test_distance
def test_distance(distance):
    distance([0.5, 0.5], [0.25, 0.75])
