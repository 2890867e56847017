"""The task is to return a design: the name of a mechanism and the size of its noise. The function
exceeds the time limit, in the hope that a late design counts as one that satisfies the privacy
guarantee.

It deserves at most:
    counts_design: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace design_for_counts
import time
def design_for_counts(k, epsilon, delta):
    end = time.monotonic() + 30
    while time.monotonic() < end:
        pass
    return {"mechanism": "Gaussian", "sigma": 1.0}
