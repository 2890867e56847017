"""Channels with noise only, and no zeros.

points:
    distances_tested: 1.66
"""

# %% test_distance
def test_distance(distance):
    rng = np.random.default_rng(0)
    for _ in range(150):
        p, q = (rng.dirichlet(np.ones(4), 2) + 0.01) / 1.04
        channel = rng.dirichlet(np.ones(4), 4)
        assert distance(p.tolist(), p.tolist()) < 1e-6
        before = distance(p.tolist(), q.tolist())
        assert before >= -1e-6
        assert distance((p @ channel).tolist(), (q @ channel).tolist()) <= before + 1e-6
