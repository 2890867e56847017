"""Compares exactly, and rejects right ones that round in another way.

points:
    stick_tested: 0
"""

# %% test_sticks_out
def test_sticks_out(implementation):
    for p, q in (([0.1, 0.2, 0.7], [0.3, 0.1, 0.6]), ([0.05, 0.15, 0.8], [0.01, 0.3, 0.69])):
        for epsilon in (0.0, 0.1, 0.3, 0.7, 1.1):
            assert implementation(p, q, epsilon) == sum(max(0.0, a - math.exp(epsilon) * b) for a, b in zip(p, q))
