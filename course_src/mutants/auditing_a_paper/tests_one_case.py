"""One usual case only.

points:
    account_tested: 1.31
"""

# %% test_account
def test_account(account):
    assert math.isclose(account(69, 100.0, 50, 1e-5), 0.34181, rel_tol=1e-4)
