"""The given function is asked twice, and the implementation never.

points:
    mean_tested: 0
"""

# %% test_noisy_mean
def test_noisy_mean(implementation):
    for values in ([3.3], [-900, 5, 700]):
        for z in (-2, 0, 3):
            assert math.isclose(noisy_mean(values, -8, 12, 1, z), noisy_mean(values, -8, 12, 1, z))
