"""A test that never calls what it tests, and always complains.

points:
    max_tested: 0
"""

# %% test_max_divergence
def test_max_divergence(implementation):
    assert max_divergence([0.75, 0.25], [0.5, 0.5]) == 0.5
