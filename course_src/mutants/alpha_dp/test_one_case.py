"""One case only, of a mirror pair.

points:
    alpha_tested: 1
"""

# %% test_alpha
def test_alpha(divergence):
    assert abs(divergence([0.75, 0.25], [0.25, 0.75], 2) - 2 / 3) < 1e-6
