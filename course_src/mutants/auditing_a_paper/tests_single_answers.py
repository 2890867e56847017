"""Only single answers.

points:
    account_tested: 2.06
"""

# %% test_account
def test_account(account):
    for order in (2, 69, 164, 300):
        for sigma in (1.0, 100.0):
            for delta in (0.1, 1e-15):
                right = order / (2 * sigma**2) + math.log(1 / delta) / (order - 1)
                assert math.isclose(account(order, sigma, 1, delta), right, rel_tol=1e-6)
