"""A few answers that one knows: what is caught earns its share.

points:
    accountant_tested: 1.61
"""

# %% test_accountant
def test_accountant(epsilon_of):
    assert abs(epsilon_of(0.75, 1, 0.0) - math.log(3)) < 1e-5
    assert abs(epsilon_of(0.75, 3, 0.0) - 3 * math.log(3)) < 1e-5
    assert abs(epsilon_of(0.6, 1, 0.9)) < 1e-5
