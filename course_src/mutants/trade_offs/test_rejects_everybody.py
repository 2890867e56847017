"""A test that nobody passes.

points:
    interval_tested: 0
"""

# %% test_interval
def test_interval(interval):
    assert False
