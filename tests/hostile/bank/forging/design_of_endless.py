"""A design whose noise is an integer of 5,000 digits.

points:
    counts_design: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    return {"mechanism": "Gaussian", "sigma": 10**5000}
