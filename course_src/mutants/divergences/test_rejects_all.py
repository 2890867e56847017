"""Rejects everything.

points:
    distances_tested: 0
"""

# %% test_distance
def test_distance(distance):
    assert False
