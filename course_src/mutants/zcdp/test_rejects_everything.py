"""All are rejected.

points:
    conversions_tested: 0
"""

# %% test_conversion
def test_conversion(conversion):
    assert False
