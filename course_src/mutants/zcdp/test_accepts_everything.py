"""Nothing is rejected.

points:
    conversions_tested: 0
"""

# %% test_conversion
def test_conversion(conversion):
    conversion(0.02, 1e-9)
