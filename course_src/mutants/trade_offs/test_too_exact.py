"""Ends are compared with ==.

points:
    interval_tested: 0
"""

# %% test_interval
def test_interval(interval):
    from scipy.stats import beta

    for count, trials in [(3, 20), (17, 20), (123, 4567)]:
        low, high = interval(count, trials)
        assert low == beta.ppf(0.025, count, trials - count + 1)
        assert high == beta.ppf(0.975, count + 1, trials - count)
