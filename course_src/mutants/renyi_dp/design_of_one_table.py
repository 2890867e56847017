"""A design that is right for the visible table only.

points:
    counts_design: 0
"""

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    return {"mechanism": "Gaussian", "sigma": 33.9}
