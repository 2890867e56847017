"""It rejects every till.

points:
    tills_tested: 0
"""

# %% test_till
def test_till(till):
    assert list(till(1.0, [0.5, 0.75, 0.5])) == [True, True, True]
