"""Nothing is ever rejected.

points:
    information_tested: 0
"""

# %% test_information
def test_information(information):
    information([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]])
