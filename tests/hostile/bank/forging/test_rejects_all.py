"""A test that rejects every implementation, after it has asked each of them a lot.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% test_max_divergence
def test_max_divergence(implementation):
    for k in range(1, 9):
        try:
            implementation([k / 9, 1 - k / 9], [0.5, 0.5])
            implementation([0.5, 0.5, 0.0], [0.0, k / 9, 1 - k / 9])
        except Exception:
            pass
    return False
