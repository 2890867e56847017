"""It asks for more digits than a right program has.

points:
    alpha_tested: 0
"""

# %% test_alpha
def test_alpha(divergence):
    p, q = [0.5, 0.3, 0.2], [0.2, 0.3, 0.5]
    for order in (1.01, 1.5, 2, 7, 30):
        moment = sum(x**order * y ** (1 - order) for x, y in zip(p, q))
        assert divergence(p, q, order) == (moment - 1) / (order * (order - 1))
