"""It rejects every program.

points:
    alpha_tested: 0
"""

# %% test_alpha
def test_alpha(divergence):
    assert divergence([0.5, 0.5], [0.2, 0.8], 2) == 0.3
