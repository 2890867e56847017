"""The nurse's coin at 50 % and nothing else.

points:
    information_tested: 1.15
"""

# %% test_information
def test_information(information):
    assert abs(information([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]]) - 0.130812) < 1e-5
