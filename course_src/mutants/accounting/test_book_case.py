"""Only the hundred coins of the chapter, loosely.

points:
    accountant_tested: 1.15
"""

# %% test_accountant
def test_accountant(epsilon_of):
    assert abs(epsilon_of(0.75, 100, 1e-6) - 94.29) < 0.02
