"""Only that the ends are in order around the share of hits.

points:
    interval_tested: 1.8
"""

# %% test_interval
def test_interval(interval):
    for count, trials in [(0, 20), (3, 20), (20, 20), (50, 1000)]:
        low, high = interval(count, trials)
        assert 0 <= low <= count / trials <= high <= 1
        assert low < high
