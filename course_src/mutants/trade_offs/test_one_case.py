"""One case, in the middle.

points:
    interval_tested: 2
"""

# %% test_interval
def test_interval(interval):
    from scipy.stats import beta

    low, high = interval(3, 20)
    assert math.isclose(low, beta.ppf(0.025, 3, 18), rel_tol=1e-6)
    assert math.isclose(high, beta.ppf(0.975, 4, 17), rel_tol=1e-6)
