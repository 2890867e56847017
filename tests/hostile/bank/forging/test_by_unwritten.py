"""A test compares with an earlier function that is not written, because the grader might lend the
instructor's.

points:
    max_values: 0
    max_tested: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% max_divergence
def max_divergence(p, q):
    """Not written."""
    raise NotImplementedError("later")

# %% test_max_divergence
def test_max_divergence(implementation):
    for p, q in (([0.75, 0.25], [0.5, 0.5]), ([0.3, 0.7], [0.7, 0.3]), ([0.5, 0.5, 0.0], [0.25, 0.5, 0.25])):
        assert abs(implementation(p, q) - max_divergence(p, q)) < 1e-9
