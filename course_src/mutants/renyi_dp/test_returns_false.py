"""A test that returns True or False, of one question, and does not raise an error.

points:
    max_tested: 1.5
"""

# %% test_max_divergence
def test_max_divergence(implementation):
    return abs(implementation([0.75, 0.25], [0.5, 0.5]) - math.log(1.5)) < 1e-9
