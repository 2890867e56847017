"""Merging only, and no zeros.

points:
    distances_tested: 2.66
"""

# %% test_distance
def test_distance(distance):
    rng = np.random.default_rng(0)
    for _ in range(200):
        p, q = (rng.dirichlet(np.ones(4), 2) + 0.01) / 1.04
        order = rng.permutation(4)
        p, q = p[order], q[order]
        assert abs(distance(p.tolist(), p.tolist())) < 1e-6
        before = distance(p.tolist(), q.tolist())
        assert before >= -1e-6
        merged = [[*x[:2].tolist(), float(x[2] + x[3])] for x in (p, q)]
        assert distance(*merged) <= before + 1e-6
