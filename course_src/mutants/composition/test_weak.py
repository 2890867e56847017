"""It looks at one evening only, on which many wrong tills are right.

points:
    tills_tested: 0.69
"""

# %% test_till
def test_till(till):
    assert [int(x) for x in till(1.0, [0.5, 0.25, 0.5])] == [1, 1, 0]
