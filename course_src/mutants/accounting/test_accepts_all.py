"""It asks nothing.

points:
    accountant_tested: 0
"""

# %% test_accountant
def test_accountant(epsilon_of):
    pass
