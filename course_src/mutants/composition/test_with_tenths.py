"""Three tenths are to fit into 0.3: floats do not add up so.

points:
    tills_tested: 0
"""

# %% test_till
def test_till(till):
    assert [int(x) for x in till(0.5, [0.75, 0.25, 0.25])] == [0, 1, 1]
    assert [int(x) for x in till(0.3, [0.1, 0.1, 0.1])] == [1, 1, 1]
