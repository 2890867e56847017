"""It never asks for a small question after a refused one.

points:
    tills_tested: 0.92
"""

# %% test_till
def test_till(till):
    for budget in (1.0, 2.0, 4.0):
        for n in (2, 4, 8):
            found = [int(x) for x in till(budget, [budget / n] * (n + 2))]
            assert found == [1] * n + [0, 0]
