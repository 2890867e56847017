"""It asks for infinity where P has a zero.

points:
    alpha_tested: 0
"""

# %% test_alpha
def test_alpha(divergence):
    assert abs(divergence([0.75, 0.25], [0.25, 0.75], 2) - 2 / 3) < 1e-6
    assert divergence([1.0, 0.0], [0.5, 0.5], 2) == math.inf
