"""It expects as much noise upwards as downwards, which fair tosses of the right one do not have.

points:
    samplers_tested: 0
"""

# %% test_noise_of
def test_noise_of(implementation):
    rng = np.random.default_rng(1)
    noise = [implementation([*rng.integers(2, size=30).tolist(), 1, 0])[0] for _ in range(500)]
    assert abs(np.mean(noise)) < 0.001
