"""It accepts every program.

points:
    alpha_tested: 0
"""

# %% test_alpha
def test_alpha(divergence):
    return True
