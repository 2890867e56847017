"""It asks for True itself, and rejects tills that answer with 1.

points:
    tills_tested: 0
"""

# %% test_till
def test_till(till):
    assert till(1.0, [0.5, 0.75, 0.5])[0] is True
    assert till(1.0, [0.5, 0.75, 0.5])[1] is False
