"""It rejects nobody.

points:
    samplers_tested: 0
"""

# %% test_noise_of
def test_noise_of(implementation):
    implementation([1, 1, 0])
