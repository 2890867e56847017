"""A test that asks one question only, and compares with a tolerance: most mistakes get through.

points:
    max_tested: 1.5
"""

# %% test_max_divergence
def test_max_divergence(implementation):
    assert math.isclose(implementation([0.75, 0.25], [0.5, 0.5]), math.log(1.5))
