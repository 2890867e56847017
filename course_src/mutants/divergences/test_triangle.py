"""The triangle inequality is asked for.

points:
    distances_tested: 0
"""

# %% test_distance
def test_distance(distance):
    rng = np.random.default_rng(0)
    for _ in range(100):
        p, q, r = (rng.dirichlet(np.ones(3), 3) + 0.01) / 1.03
        p, q, r = p.tolist(), q.tolist(), r.tolist()
        assert distance(p, q) <= distance(p, r) + distance(r, q) + 1e-6
