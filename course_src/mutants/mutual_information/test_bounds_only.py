"""Only that it lies between 0 and the entropy of the belief.

points:
    information_tested: 1.15
"""

# %% test_information
def test_information(information):
    rng = np.random.default_rng(2)
    for _ in range(40):
        weights = rng.dirichlet(np.ones(3))
        rows = rng.dirichlet(np.ones(3), 3)
        most = -sum(w * math.log(w) for w in weights)
        assert -1e-9 <= information(weights.tolist(), rows.tolist()) <= most + 1e-9
