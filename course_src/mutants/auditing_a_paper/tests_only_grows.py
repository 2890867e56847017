"""Only that more answers cost more, and smaller δ.

points:
    account_tested: 0
"""

# %% test_account
def test_account(account):
    last = 0.0
    for k in (1, 10, 50, 300, 1000):
        found = account(69, 100.0, k, 1e-5)
        assert found > last
        last = found
    assert account(69, 100.0, 50, 1e-25) > account(69, 100.0, 50, 1e-5)
