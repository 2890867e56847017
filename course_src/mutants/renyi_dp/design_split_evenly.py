"""A design splits the budget evenly and makes no use of delta.

points:
    counts_design: 0
"""

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    return {"mechanism": "Laplace", "scale": k / epsilon}
