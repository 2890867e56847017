"""Only the formula is accepted.

points:
    conversions_tested: 0
"""

# %% test_conversion
def test_conversion(conversion):
    assert math.isclose(conversion(0.02, 1e-9), 0.02 + 2 * math.sqrt(0.02 * math.log(1e9)))
