"""The right ends to one digit.

points:
    interval_tested: 1.8
"""

# %% test_interval
def test_interval(interval):
    from scipy.stats import beta

    for count, trials in [(0, 20), (3, 20), (20, 20), (50, 10_000)]:
        low, high = interval(count, trials)
        right = beta.ppf(0.025, count, trials - count + 1) if count else 0
        assert abs(low - right) < 0.05
        right = beta.ppf(0.975, count + 1, trials - count) if count < trials else 1
        assert abs(high - right) < 0.05
