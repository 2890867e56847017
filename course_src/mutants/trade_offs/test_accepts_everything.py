"""A test that asserts nothing.

points:
    interval_tested: 0
"""

# %% test_interval
def test_interval(interval):
    interval(3, 20)
