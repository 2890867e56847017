"""A test that forgets the assert: the comparison is made, and nobody looks at it.

points:
    max_tested: 0
"""

# %% test_max_divergence
def test_max_divergence(implementation):
    math.isclose(implementation([0.75, 0.25], [0.5, 0.5]), math.log(1.5))
    implementation([0.5, 0.5], [1.0, 0.0]) == math.inf
