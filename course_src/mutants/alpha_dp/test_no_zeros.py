"""Positive laws and whole orders only.

points:
    alpha_tested: 1.71
"""

# %% test_alpha
def test_alpha(divergence):
    p, q = [0.5, 0.3, 0.2], [0.1, 0.3, 0.6]
    for order in (2, 3, 5, 10):
        moment = sum(x**order * y ** (1 - order) for x, y in zip(p, q))
        assert math.isclose(divergence(p, q, order), (moment - 1) / (order * (order - 1)), rel_tol=1e-5)
