"""It takes advanced composition for the truth.

points:
    accountant_tested: 0
"""

# %% test_accountant
def test_accountant(epsilon_of):
    one = math.log(3)
    right = one * math.sqrt(200 * math.log(1e6)) + 100 * one / 2
    assert abs(epsilon_of(0.75, 100, 1e-6) - min(right, 100 * one)) < 1e-3
