"""The normal law is taken for the truth: right ones are rejected.

points:
    interval_tested: 0
"""

# %% test_interval
def test_interval(interval):
    low, high = interval(300, 1000)
    wide = 1.96 * math.sqrt(0.3 * 0.7 / 1000)
    assert abs(low - 0.3 + wide) < 1e-4 and abs(high - 0.3 - wide) < 1e-4
