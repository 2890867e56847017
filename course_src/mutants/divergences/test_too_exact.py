"""No rounding is allowed.

points:
    distances_tested: 0
"""

# %% test_distance
def test_distance(distance):
    rng = np.random.default_rng(0)
    for _ in range(200):
        p, q = rng.dirichlet(np.ones(4), 2)
        order = rng.permutation(4)
        assert distance(p.tolist(), q.tolist()) == distance(p[order].tolist(), q[order].tolist())
