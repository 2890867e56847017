"""The slip itself is taken for right.

points:
    account_tested: 0
"""

# %% test_account
def test_account(account):
    for order in (69, 119, 164):
        x = order * (order - 1) / (2 * 100**2)
        right = (50 * math.log1p(math.exp(x - 1)) + math.log(1e15)) / (order - 1)
        assert math.isclose(account(order, 100.0, 50, 1e-15), right, rel_tol=1e-6)
