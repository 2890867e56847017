"""Properties only: nothing of equal laws, infinity, data processing.

points:
    alpha_tested: 1
"""

# %% test_alpha
def test_alpha(divergence):
    p, q = [0.5, 0.3, 0.2], [0.1, 0.3, 0.6]
    for order in (1.5, 2, 5):
        assert abs(divergence(p, p, order)) < 1e-8
        assert divergence([0.5, 0.5], [1.0, 0.0], order) == math.inf
        whole = divergence(p, q, order)
        assert divergence([0.8, 0.2], [0.4, 0.6], order) <= whole + 1e-9
