"""It asks nothing.

points:
    mean_tested: 0
"""

# %% test_noisy_mean
def test_noisy_mean(implementation):
    pass
