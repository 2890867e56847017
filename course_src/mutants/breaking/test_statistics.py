"""Statistics of tosses: mean and share of zeros.

points:
    samplers_tested: 1.36
"""

# %% test_noise_of
def test_noise_of(implementation):
    rng = np.random.default_rng(1)
    noise = [implementation([*rng.integers(2, size=30).tolist(), 1, 0])[0] for _ in range(900)]
    assert abs(np.mean(noise)) < 0.25 and 0.26 < np.mean(np.array(noise) == 0) < 0.41
