"""It expects a rounded number exactly.

points:
    accountant_tested: 0
"""

# %% test_accountant
def test_accountant(epsilon_of):
    assert epsilon_of(0.75, 100, 1e-6) == 94.29
