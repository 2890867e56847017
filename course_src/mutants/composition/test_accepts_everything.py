"""It accepts every till.

points:
    tills_tested: 0
"""

# %% test_till
def test_till(till):
    till(1.0, [0.5, 0.5])
