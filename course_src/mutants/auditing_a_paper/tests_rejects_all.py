"""Everybody is rejected.

points:
    account_tested: 0
"""

# %% test_account
def test_account(account):
    assert False
