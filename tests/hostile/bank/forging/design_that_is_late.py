"""A design function exceeds the time limit, in the hope that a late design counts as kept.

points:
    counts_design: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% design_for_counts
import time
def design_for_counts(k, epsilon, delta):
    end = time.monotonic() + 30
    while time.monotonic() < end:
        pass
    return {"mechanism": "Gaussian", "sigma": 1.0}
