"""Everything is rejected.

points:
    information_tested: 0
"""

# %% test_information
def test_information(information):
    assert False
