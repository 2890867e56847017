"""Nothing is tested.

points:
    account_tested: 0
"""

# %% test_account
def test_account(account):
    account(69, 100.0, 50, 1e-5)
