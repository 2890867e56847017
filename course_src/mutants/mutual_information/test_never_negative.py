"""Rounding below 0 is taken for a fault, by a case that is 0 exactly.

points:
    information_tested: 0
"""

# %% test_information
def test_information(information):
    assert information([0.3, 0.7], [[0.1, 0.2, 0.7], [0.1, 0.2, 0.7]]) == 0.0
    assert information([0.5, 0.5], [[1.0, 0.0], [0.0, 1.0]]) == math.log(2)
    assert information([0.3, 0.7], [[0.9, 0.1], [0.2, 0.8]]) > 0
