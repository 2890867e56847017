"""A right one must be near to the formula.

points:
    conversions_tested: 0
"""

# %% test_conversion
def test_conversion(conversion):
    for rho in (0.001, 0.02, 1.0):
        whole = rho + 2 * math.sqrt(-rho * math.log(1e-6))
        assert 0.98 * whole < conversion(rho, 1e-6) < 1.02 * whole
