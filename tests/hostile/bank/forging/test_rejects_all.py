"""The task is to write a test that accepts right implementations of a function and rejects wrong
ones. This test calls each implementation several times, as a real test would, and rejects all of
them, in the hope that it earns points for the wrong ones.

It deserves at most:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace test_max_divergence
def test_max_divergence(implementation):
    for k in range(1, 9):
        try:
            implementation([k / 9, 1 - k / 9], [0.5, 0.5])
            implementation([0.5, 0.5, 0.0], [0.0, k / 9, 1 - k / 9])
        except Exception:
            pass
    return False
