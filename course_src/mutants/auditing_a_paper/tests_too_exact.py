"""No rounding is forgiven.

points:
    account_tested: 0
"""

# %% test_account
def test_account(account):
    for order, sigma, k, delta in [(69, 100.0, 50, 1e-5), (164, 7.5, 51, 1e-15), (300, 3.0, 999, 1e-25)]:
        right = k * order / (2 * sigma**2) + math.log(1 / delta) / (order - 1)
        assert account(order, sigma, k, delta) == right
