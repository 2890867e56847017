"""The task is to write a test that accepts right implementations of a function and rejects wrong
ones. If a student's function is wrong, the grader replaces it by the instructor's in later items
that call it. This test compares implementations with a function that the student left unwritten, in
the hope that the grader replaces that function here, too.

It deserves at most:
    max_values: 0
    max_tested: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace max_divergence
def max_divergence(p, q):
    """Raise an error, because the student has not written this function."""
    raise NotImplementedError("later")

# %% replace test_max_divergence
def test_max_divergence(implementation):
    for p, q in (([0.75, 0.25], [0.5, 0.5]), ([0.3, 0.7], [0.7, 0.3]), ([0.5, 0.5, 0.0], [0.25, 0.5, 0.25])):
        assert abs(implementation(p, q) - max_divergence(p, q)) < 1e-9
