"""It rejects every implementation.

points:
    mean_tested: 0
"""

# %% test_noisy_mean
def test_noisy_mean(implementation):
    assert False
