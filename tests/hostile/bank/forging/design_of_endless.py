"""The task is to return a design: the name of a mechanism and the size of its noise. The noise is
an integer of about 5,000 digits, in the hope that the grader's computation fails or takes too long.

It deserves at most:
    counts_design: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace design_for_counts
def design_for_counts(k, epsilon, delta):
    return {"mechanism": "Gaussian", "sigma": 10**5000}
