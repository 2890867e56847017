"""It rejects everybody.

points:
    samplers_tested: 0
"""

# %% test_noise_of
def test_noise_of(implementation):
    raise AssertionError
