"""Only what normal noise has is accepted.

points:
    conversions_tested: 0
"""

# %% test_conversion
def test_conversion(conversion):
    assert abs(conversion(0.02, 1e-9) - 1.104) < 0.01
