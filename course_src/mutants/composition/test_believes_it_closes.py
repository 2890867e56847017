"""It takes a till that closes after the first refusal for right.

points:
    tills_tested: 0
"""

# %% test_till
def test_till(till):
    assert [int(x) for x in till(1.0, [0.5, 0.75, 0.5])] == [1, 0, 0]
