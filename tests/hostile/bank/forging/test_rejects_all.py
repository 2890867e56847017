"""A test rejects every implementation after many calls.

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
