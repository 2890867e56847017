"""The test believes in the sensitivity of a person who is left out.

points:
    mean_tested: 0
"""

# %% test_noisy_mean
def test_noisy_mean(implementation):
    for values in ([2, 5, 130], [3.3]):
        for low, high in ((0, 30), (-8, 12)):
            found = implementation(list(values), low, high, 1, 2)
            cut = np.clip(values, low, high)
            assert abs(found - cut.mean() - 2 * max(abs(low), abs(high)) / cut.size) < 1e-9
