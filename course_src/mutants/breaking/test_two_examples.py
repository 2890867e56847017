"""The two examples of the text.

points:
    samplers_tested: 1.63
"""

# %% test_noise_of
def test_noise_of(implementation):
    assert implementation([1, 1, 1, 0, 0]) == [2, 4]
    assert implementation([0, 0, 0, 1, 0]) == [-1, 5]
