"""A design that names the noise of two mechanisms: one that keeps the target, one that is small.

points:
    counts_design: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    return {"mechanism": "Gaussian", "scale": 1e6, "sigma": 1e-3, "Gaussian": {"sigma": 1e6}}
