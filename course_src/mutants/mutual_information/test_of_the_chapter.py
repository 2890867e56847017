"""The coin at two beliefs and the Z-channel, each with two values.

points:
    information_tested: 2.53
"""

# %% test_information
def test_information(information):
    coin = [[0.75, 0.25], [0.25, 0.75]]
    assert abs(information([0.35, 0.65], coin) - 0.1198) < 1e-3
    assert abs(information([0.4, 0.6], [[0.5, 0.5], [0.0, 1.0]]) - 0.22314) < 1e-4
