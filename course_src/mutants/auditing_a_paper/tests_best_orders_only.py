"""Only where the order is the best one.

points:
    account_tested: 1.87
"""

# %% test_account
def test_account(account):
    for sigma, k, delta in [(100.0, 50, 1e-5), (100.0, 50, 1e-15), (1.0, 1, 1e-5), (50.0, 300, 1e-25)]:
        rho = k / (2 * sigma**2)
        order = max(2, round(1 + math.sqrt(math.log(1 / delta) / rho)))
        right = rho + 2 * math.sqrt(rho * math.log(1 / delta))
        assert math.isclose(account(order, sigma, k, delta), right, rel_tol=0.01)
